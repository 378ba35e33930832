// A session's engine in a worker: calls come as messages, and so do answers and events.
//
// SPDX-License-Identifier: Apache-2.0

import { Engine } from "./engine.js"

let engine
/** Beats for the page: its own timers stand almost still while it is hidden. */
let beats

self.onmessage = async ({ data }) => {
  const { id, name, numbers, byteStrings } = data
  let answer
  try {
    if (name === "begin") {
      const answer = await fetch(data.wasm)
      if (!answer.ok) throw new Error(`${data.wasm}: ${answer.status} ${answer.statusText}`)
      const module = await WebAssembly.compile(await answer.arrayBuffer())
      engine = new Engine(module, (event) => self.postMessage({ event }))
    } else if (name === "clock") {
      // The answer says what time it is here.
    } else if (name === "beats") {
      clearInterval(beats)
      if (data.every !== null) beats = setInterval(() => self.postMessage({ isBeat: true }), data.every)
    } else if (name === "network") {
      engine?.loseSockets()
    } else if (name === "close") {
      engine?.close()
    } else {
      answer = engine.call(name, numbers, byteStrings)
    }
    self.postMessage({ id, now: performance.now(), answer }, answer ? [answer.buffer] : [])
  } catch (error) {
    self.postMessage({ id, error: { message: error.message, code: error.code } })
  }
}
