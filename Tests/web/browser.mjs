// A browser of tests, without a window: how it is started and ended, the calls to it, and a page in it. Which protocol it speaks its own
// file knows: chromium.mjs, firefox.mjs.

import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { until } from "./waiting.mjs"
import { WebSocket } from "./websocket.mjs"

/** What tests with a film in this browser lack here; false: nothing. */
export function lacking(command, debianPackage) {
  if (spawnSync("ffmpeg", ["-version"]).status !== 0) return "there is no ffmpeg"
  return spawnSync(command, ["--version"]).status === 0 ? false : `there is no ${command}; Debian's package ${debianPackage} has it`
}

/** Starts one in a folder of its own, which goes with it; `signal` goes to all its processes. `listens`: how it says its port. */
export async function launched(command, optionsIn, listens) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `unisono-${path.basename(command)}-`))
  const browser = spawn(command, optionsIn(folder), { stdio: ["ignore", "ignore", "pipe"], detached: true })
  const end = async () => {
    try { process.kill(-browser.pid) } catch { /* It has ended. */ }
    if (browser.exitCode === null && browser.signalCode === null) await new Promise((resolve) => browser.once("exit", resolve))
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  let log = ""
  const port = await new Promise((resolve, reject) => {
    browser.stderr.on("data", (bytes) => {
      log += bytes
      const found = listens.exec(log)
      if (found) resolve(found[1])
    })
    browser.once("exit", () => reject(new Error(`${command} ended: ${log}`)))
  })
  return { host: `127.0.0.1:${port}`, end, signal: (name) => process.kill(-browser.pid, name) }
}

/** Numbered calls to a browser by a WebSocket, and what it tells by itself. */
export class Remote {
  static async open(host, path, told) {
    const remote = new Remote()
    Object.assign(remote, { told, last: 0, calls: new Map() })
    await new Promise((resolve, reject) => {
      remote.socket = new WebSocket(host, {
        opened: resolve, received: (bytes) => remote.receive(JSON.parse(bytes)),
        closed: () => {
          reject(new Error("the browser takes no calls"))
          for (const call of remote.calls.values()) call.reject(new Error("the browser ended"))
        },
      }, { path, isText: true })
    })
    return remote
  }

  receive({ id, method, params, error, message, result }) {
    if (typeof id !== "number") return this.told(method, params)
    const { resolve, reject } = this.calls.get(id)
    this.calls.delete(id)
    // The DevTools protocol's errors have their text in them, WebDriver's beside.
    if (error) reject(new Error(error.message ?? `${error}: ${message}`))
    else resolve(result)
  }

  call(method, params = {}) {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject })
      this.socket.send(Buffer.from(JSON.stringify({ id, method, params })))
    })
  }
}

/** A page. Those of each browser have `value`, of an expression, `touch` and `choose` by selectors; `lines`: what its console said. */
export class Page {
  lines = []

  /** Writes into a field, as if typed. */
  fill(selector, text) {
    return this.value(`(() => {
      const field = document.querySelector(${JSON.stringify(selector)})
      field.value = ${JSON.stringify(text)}
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })()`)
  }

  /** Done when an expression is true, looked at twenty times a second. */
  until(what, expression, limit = 30_000) {
    return until(what, () => this.value(expression), { limit, describe: () => this.lines.join("\n") })
  }
}
