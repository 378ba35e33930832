// What a module without random bytes does: it ends, and makes no keys.

import assert from "node:assert/strict"
import test from "node:test"
import { call, cases, load } from "./module.mjs"

const NOT_THERE = 52
const seeded = cases("xwing").find(({ in: given, open }) => open === "ok" && given.randomness)

/** Fields of that vector as the module takes them. */
function fields() {
  const given = { seed: seeded.in.seed, encapsulated: seeded.out.encapsulated }
  return Buffer.concat(Object.entries(given).flatMap(([name, value]) => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(value.length)
    return [Buffer.from([name.length]), Buffer.from(name), head, Buffer.from(value)]
  }))
}

test("F73: a key is encapsulated with bytes of the world around the module", () => {
  let drawn = 0
  const module = load("vectors", (bytes) => {
    drawn += bytes.length
    return 0
  })
  const before = drawn
  assert.equal(call(module, "vector_case", [2], fields()).text, "ok")
  assert.ok(drawn - before >= 32, `${drawn - before} bytes were drawn`)
})

test("F73: a world without random bytes ends the module before it makes a key of zeros", () => {
  let isDry = false
  const module = load("vectors", () => (isDry ? NOT_THERE : 0))
  isDry = true
  assert.throws(() => call(module, "vector_case", [2], fields()), WebAssembly.RuntimeError)
})
