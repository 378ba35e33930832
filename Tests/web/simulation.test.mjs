// Random sessions in WebAssembly decide what they decide natively.

import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { load, root } from "./module.mjs"

const PROFILES = ["mixed", "contention", "faulty", "large", "players"]
const SEEDS = 12

/** `unisono-sim` of this tree: UNISONO_SIM, or where the builds put it. */
const simulator = [process.env.UNISONO_SIM, "build/swift/release/unisono-sim", ".build/debug/unisono-sim"]
  .filter(Boolean).map((file) => path.resolve(root, file)).find((file) => fs.existsSync(file))

/** What the native core decided, a hash for each seed. */
function native(profile) {
  assert.ok(simulator, "there is no unisono-sim: make test-web builds it")
  const text = execFileSync(simulator, ["--fingerprint", `${SEEDS}`, "--list", "--profile", profile], { encoding: "utf8" })
  return [...text.matchAll(/^(\d+) ([0-9a-f]{16})$/gm)].map(([, seed, print]) => [BigInt(seed), print])
}

for (const [place, profile] of PROFILES.entries()) {
  test(`F73: ${SEEDS} seeds of profile ${profile} decide in wasm what they decide natively`, () => {
    const expected = native(profile)
    assert.equal(expected.length, SEEDS)
    const { simulation_fingerprint: fingerprint } = load("simulation")
    for (const [seed, print] of expected) {
      const own = BigInt.asUintN(64, fingerprint(seed, place)).toString(16).padStart(16, "0")
      assert.equal(own, print, `seed ${seed}`)
    }
  })
}

test("F73: a seed that nobody names a profile for draws the same one in wasm", () => {
  const { simulation_fingerprint: fingerprint } = load("simulation")
  assert.ok(simulator, "there is no unisono-sim: make test-web builds it")
  const text = execFileSync(simulator, ["--fingerprint", "1", "--seed", "77700003003", "--list"], { encoding: "utf8" })
  const print = BigInt.asUintN(64, fingerprint(77700003003n, -1)).toString(16).padStart(16, "0")
  assert.match(text, new RegExp(`^77700003003 ${print}$`, "m"))
})

test("F73: no rule is broken in wasm", () => {
  const { simulation_violations: violations } = load("simulation")
  for (let seed = 1n; seed <= 20n; seed++) assert.equal(violations(seed, -1), 0, `seed ${seed}`)
})
