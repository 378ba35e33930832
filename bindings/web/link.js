// The way to a session's engine: in a worker, or, where a module and an outside are given, in this thread.
//
// SPDX-License-Identifier: Apache-2.0

import { Engine } from "./engine.js"

/** How often the worker's clock is compared with the page's: the quickest answer counts. */
const COMPARISONS = 8

/**
 * Calls `changed` when this device comes to another network, or has none. Of a connection's other changes, which are guesses at its speed,
 * nothing follows. By the page: in workers Chromium does not tell.
 */
function watchNetwork(changed, network, signal) {
  for (const name of ["online", "offline"]) network.addEventListener?.(name, changed, { signal })
  const connection = network.navigator?.connection
  let type = connection?.type
  connection?.addEventListener?.("change", () => {
    if (connection.type === type) return
    type = connection.type
    changed()
  }, { signal })
}

/** An engine in a worker. */
class WorkerLink {
  constructor(report) {
    Object.assign(this, { calls: new Map(), last: 0, shift: 0, beat: () => {}, over: new AbortController() })
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
    this.worker.onmessage = ({ data }) => {
      if (data.event) return report(data.event)
      if (data.isBeat) return this.beat()
      const { resolve, reject } = this.calls.get(data.id)
      this.calls.delete(data.id)
      if (data.error) reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
      else resolve(data)
    }
    this.worker.onerror = (event) => {
      for (const { reject } of this.calls.values()) reject(new Error(event.message))
      this.calls.clear()
    }
  }

  async begin(wasm) {
    await this.post({ name: "begin", wasm: String(wasm) })
    watchNetwork(() => { this.post({ name: "network" }).catch(() => {}) }, globalThis, this.over.signal)
    let shortest = Infinity
    for (let comparison = 0; comparison < COMPARISONS; comparison++) {
      const before = performance.now()
      const { now: there } = await this.post({ name: "clock" })
      const after = performance.now()
      if (after - before >= shortest) continue
      shortest = after - before
      this.shift = there - (before + after) / 2
    }
  }

  post(message) {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject })
      this.worker.postMessage({ id, ...message })
    })
  }

  now() { return performance.now() + this.shift }

  /** Calls `act` so often, ms, also while the page is hidden; null: not any more. One at a time. */
  beats(every, act = () => {}) {
    this.beat = act
    this.post({ name: "beats", every }).catch(() => {})
  }

  /** Bytes, of calls that give some back. */
  async call(name, numbers = [], byteStrings = []) { return (await this.post({ name, numbers, byteStrings })).answer }

  async close() {
    this.over.abort()
    await this.post({ name: "close" })
    this.worker.terminate()
  }
}

/** An engine in this thread. */
class DirectLink {
  constructor(module, outside, report) {
    Object.assign(this, { shift: 0, over: new AbortController() })
    // Not inside the call: who hears an event may call again.
    this.engine = new Engine(module, (event) => queueMicrotask(() => report(event)), outside)
    watchNetwork(() => this.engine.loseSockets(), outside?.network ?? globalThis, this.over.signal)
  }

  async begin() {}

  now() { return this.engine.clock.now() }

  beats(every, act) {
    clearInterval(this.timer)
    if (every !== null) this.timer = setInterval(act, every)
  }

  async call(name, numbers, byteStrings) { return this.engine.call(name, numbers, byteStrings) }

  async close() {
    this.over.abort()
    this.beats(null)
    this.engine.close()
  }
}

/**
 * @param {{wasm?: string|URL|WebAssembly.Module, outside?: object}} options
 * @param {(event: object) => void} report
 */
export async function link({ wasm = new URL("./unisono.wasm", import.meta.url), outside }, report) {
  const made = wasm instanceof WebAssembly.Module ? new DirectLink(wasm, outside, report) : new WorkerLink(report)
  await made.begin(wasm)
  return made
}
