// The way to a session's engine: in a worker, or, where a module and an outside are given, in this thread.
//
// SPDX-License-Identifier: Apache-2.0

import { Engine } from "./engine.js"

/** How often the worker's clock is compared with the page's: the quickest answer counts. */
const COMPARISONS = 8

/** An engine in a worker. */
class WorkerLink {
  constructor(report) {
    Object.assign(this, { calls: new Map(), last: 0, shift: 0, beat: () => {} })
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
    this.worker.onmessage = ({ data }) => {
      if (data.event) return report(data.event)
      if (data.isBeat) return this.beat()
      const { resolve, reject } = this.calls.get(data.id)
      this.calls.delete(data.id)
      if (data.error) reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
      else resolve(data.now)
    }
    this.worker.onerror = (event) => {
      for (const { reject } of this.calls.values()) reject(new Error(event.message))
      this.calls.clear()
    }
  }

  async begin(wasm) {
    await this.post({ name: "begin", wasm: String(wasm) })
    let shortest = Infinity
    for (let comparison = 0; comparison < COMPARISONS; comparison++) {
      const before = performance.now()
      const there = await this.post({ name: "clock" })
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

  async call(name, numbers = [], byteStrings = []) { await this.post({ name, numbers, byteStrings }) }

  async close() {
    await this.post({ name: "close" })
    this.worker.terminate()
  }
}

/** An engine in this thread. */
class DirectLink {
  constructor(module, outside, report) {
    this.shift = 0
    // Not inside the call: who hears an event may call again.
    this.engine = new Engine(module, (event) => queueMicrotask(() => report(event)), outside)
  }

  async begin() {}

  now() { return this.engine.clock.now() }

  beats(every, act) {
    clearInterval(this.timer)
    if (every !== null) this.timer = setInterval(act, every)
  }

  async call(name, numbers, byteStrings) { this.engine.call(name, numbers, byteStrings) }

  async close() {
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
