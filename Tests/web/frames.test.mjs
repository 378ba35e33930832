// The vectors of frames, messages and registers, read and written again in WebAssembly.

import assert from "node:assert/strict"
import test from "node:test"
import { call, cases, load } from "./module.mjs"

const FORMS = { hub: 0, pairing: 1, message: 2 }

/** A body with an item of tag 60, which may be skipped: what is written again does not have it. */
function skipsSomething(body) {
  for (let at = 0; at + 4 <= body.length; ) {
    const length = body.readUIntBE(at + 1, 3)
    if (body[at] === 60) return true
    at += 4 + length
  }
  return false
}

const core = load("vectors")

for (const { name, in: given, open } of cases("frames")) {
  test(`F73: ${given.form}: ${name}: ${open}`, () => {
    const body = Buffer.from(given.body, "hex")
    const { text, bytes } = call(core, "vector_frame", [FORMS[given.form] ?? 3, given.type], body)
    assert.equal(text, open)
    if (open === "ok" && !skipsSomething(body)) assert.deepEqual(bytes, body)
  })
}

test("F73: a frame that is cut short anywhere is refused or skipped, and ends nothing", () => {
  for (const { in: given, open } of cases("frames")) {
    if (open !== "ok") continue
    const body = Buffer.from(given.body, "hex")
    for (let length = 0; length < body.length; length += 1 + Math.floor(body.length / 40)) {
      const { text } = call(core, "vector_frame", [FORMS[given.form] ?? 3, given.type], body.subarray(0, length))
      assert.ok(text.length > 0)
    }
  }
})
