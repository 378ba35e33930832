// A module of build/web, with what it needs of the world around it: random bytes, and nothing else.

import { webcrypto } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..")
export const web = process.env.UNISONO_WEB ?? path.join(root, "build/web")

/** WASI's answer to a call that is not there (ENOSYS). */
const NOT_THERE = 52

/**
 * Instance of `name`.wasm; its C library and Swift's hashing are set up.
 *
 * @param draw what is asked for random bytes besides: of WASI's errors one, 0: filled. They are filled where it says so.
 */
export function load(name, draw = () => 0) {
  const module = new WebAssembly.Module(fs.readFileSync(path.join(web, `${name}.wasm`)))
  let memory
  const world = {
    random_get(address, count) {
      const bytes = new Uint8Array(memory.buffer, address, count)
      const error = draw(bytes)
      if (error === 0) webcrypto.getRandomValues(bytes)
      return error
    },
  }
  // libc has a few calls for files linked in, for the text of a fatal error.
  const imports = {}
  for (const wanted of WebAssembly.Module.imports(module)) {
    imports[wanted.module] ??= {}
    imports[wanted.module][wanted.name] = world[wanted.name] ?? (() => NOT_THERE)
  }
  const instance = new WebAssembly.Instance(module, imports)
  memory = instance.exports.memory
  instance.exports._initialize()
  return instance.exports
}

/** Hands byte strings to a function of a module and takes its answer: a text and bytes. */
export function call(exports, name, numbers, ...byteStrings) {
  const rooms = byteStrings.map((bytes) => {
    const address = exports.allocate(bytes.length)
    new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes)
    return [address, bytes.length]
  })
  const answer = exports[name](...numbers, ...rooms.flat())
  for (const [address] of rooms) exports.release(address)
  const view = new DataView(exports.memory.buffer, answer)
  const length = view.getUint32(0, true)
  const text = Buffer.from(exports.memory.buffer, answer + 4, length).toString()
  const bytes = Buffer.from(Buffer.from(exports.memory.buffer, answer + 8 + length, view.getUint32(4 + length, true)))
  exports.release(answer)
  return { text, bytes }
}

/** Cases of a group of Tests/vectors. */
export function cases(group) {
  return JSON.parse(fs.readFileSync(path.join(root, `Tests/vectors/${group}.json`))).cases
}
