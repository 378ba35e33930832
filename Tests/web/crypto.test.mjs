// The vectors of keys and of what is sealed with them, in WebAssembly: the same Swift over BoringSSL's C functions.

import assert from "node:assert/strict"
import test from "node:test"
import { call, cases, load } from "./module.mjs"

const module = load("vectors")

/** Fields of a case under their names; objects in lists as "list.0.field". */
function* flat(fields, prefix = "") {
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) {
      for (const [place, entry] of value.entries()) {
        if (typeof entry === "object") yield* flat(entry, `${prefix}${name}.${place}.`)
      }
    } else if (typeof value !== "object") {
      yield [prefix + name, String(value)]
    }
  }
}

/** Runs a case: what it gave, and "ok" or the error's name. */
function run(group, fields) {
  const parts = []
  for (const [name, value] of flat(fields)) {
    const bytes = Buffer.from(value)
    const head = Buffer.alloc(4)
    head.writeUInt32LE(bytes.length)
    parts.push(Buffer.from([name.length]), Buffer.from(name), head, bytes)
  }
  const { text, bytes } = call(module, "vector_case", [group], Buffer.concat(parts))
  const found = Object.fromEntries(bytes.toString().split("\n").filter(Boolean).map((line) => {
    const at = line.indexOf(" ")
    return [line.slice(0, at), line.slice(at + 1)]
  }))
  return { text, found }
}

for (const { name, in: given, out } of cases("schedule")) {
  test(`F73: keys: ${name}`, () => {
    const { text, found } = run(0, given)
    assert.equal(text, "ok")
    for (const field of ["session", "topic", "door_chain", "id"]) assert.equal(found[field], out[field], field)
  })
}

for (const { name, in: given, out } of cases("envelope").filter(({ open }) => open === "ok")) {
  test(`F73: an envelope is sealed, opened, and refused when bent: ${name}`, () => {
    const { text, found } = run(1, { ...given, header: out.header })
    assert.equal(text, "ok")
    assert.equal(found.envelope, out.envelope)
    assert.equal(found.content, given.content)
  })
}

for (const { name, in: given, out, open } of cases("xwing")) {
  test(`F73: X-Wing: ${name}: ${open}`, () => {
    const { text, found } = run(2, given.encapsulated || !out ? given : { ...given, encapsulated: out.encapsulated })
    assert.equal(text, open)
    for (const field of ["public", "secret"]) if (out?.[field]) assert.equal(found[field], out[field], field)
  })
}

for (const { name, in: given, out, open, deterministic } of cases("intro")) {
  test(`F73: introductions: ${name}: ${open}`, () => {
    const { text, found } = run(3, open === "ok" ? { ...given, intro: out.intro } : given)
    assert.equal(text, open)
    if (open !== "ok") return
    for (const field of ["intro", "id", "person_id"]) assert.equal(found[field], out[field], field)
    if (deterministic) assert.equal(found.made, out.intro)
  })
}

for (const { name, in: given, out, open } of cases("invite")) {
  test(`F73: invites: ${name}: ${open}`, () => {
    const { text, found } = run(4, given)
    assert.equal(text, open === "ok" ? "ok" : "refused")
    if (open !== "ok") return
    for (const field of ["origin", "session", "door"]) assert.equal(found[field], out[field], field)
    assert.equal(found.written, out.written ?? given.text)
  })
}

for (const { name, in: given, out, open } of cases("welcome")) {
  test(`F73: welcomes: ${name}: ${open}`, () => {
    const { text, found } = run(6, given)
    // Whether what opens proves anything is the record's affair, not the seal's.
    assert.equal(text, ["ok", "proof"].includes(open) ? "open" : open)
    if (out) assert.equal(found.chain, out.chain)
  })
}

for (const { name, in: given, out, open } of cases("probe")) {
  test(`F73: probes: ${name}: ${open}`, () => {
    const { text, found } = run(7, given)
    assert.equal(text, open)
    if (!out) return
    assert.equal(found.packet, out.packet)
    assert.equal(run(7, { key: given.key, packet: out.packet }).text, "ok")
    assert.equal(run(7, { key: given.key.replace(/^../, "00"), packet: out.packet }).text, "mac")
  })
}

for (const { name, in: given, out } of cases("session")) {
  test(`F73: a whole session, welcome and private messages included: ${name}`, () => {
    const { text, found } = run(5, { ...given, frames: out.frames })
    assert.equal(text, "ok")
    // Types of wire 11: 9 DATA, 10 NOTICE, 20 BYE; nothing is refused.
    assert.equal(found.A_heard, "want,update,update,beat,9,20")
    assert.equal(found.B_heard, "update,update,update,9,9,10")
    assert.deepEqual(found.B_texts.split(","), ["for Ben alone", "quick"])
    assert.ok(out.frames.some(({ from, frame }) => from === "B" && frame.endsWith(found.B_hello)), "B's hello is the one in the run")
  })
}
