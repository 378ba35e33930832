// A session's engine in a worker: calls come as messages, and so do answers and events.
//
// SPDX-License-Identifier: Apache-2.0

import { Engine } from "./engine.js"

let engine

self.onmessage = async ({ data }) => {
  const { id, name, numbers, byteStrings } = data
  try {
    if (name === "begin") {
      const answer = await fetch(data.wasm)
      if (!answer.ok) throw new Error(`${data.wasm}: ${answer.status} ${answer.statusText}`)
      const module = await WebAssembly.compile(await answer.arrayBuffer())
      engine = new Engine(module, (event) => self.postMessage({ event }))
    } else if (name === "clock") {
      // The answer says what time it is here.
    } else if (name === "close") {
      engine?.close()
    } else {
      engine.call(name, numbers, byteStrings)
    }
    self.postMessage({ id, now: performance.now() })
  } catch (error) {
    self.postMessage({ id, error: { message: error.message, code: error.code } })
  }
}
