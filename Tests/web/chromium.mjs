// A Chromium of tests, without a window, driven by the DevTools protocol.

import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { WebSocket } from "./websocket.mjs"

const COMMAND = process.env.UNISONO_CHROMIUM ?? "chromium"

/** What tests with a film lack here; false: nothing. */
export function lacking() {
  if (spawnSync("ffmpeg", ["-version"]).status !== 0) return "there is no ffmpeg"
  return spawnSync(COMMAND, ["--version"]).status === 0 ? false : `there is no ${COMMAND}; Debian's package chromium has it`
}

/** One that has nothing open; its folder goes with it. */
export async function aChromium() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "unisono-chromium-"))
  const browser = spawn(COMMAND, [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run", "--disable-dev-shm-usage",
    "--remote-debugging-port=0", "--remote-allow-origins=*", `--user-data-dir=${folder}`, "about:blank",
  ], { stdio: ["ignore", "ignore", "pipe"], detached: true })
  const end = async () => {
    try { process.kill(-browser.pid) } catch { /* It has ended. */ }
    if (browser.exitCode === null && browser.signalCode === null) await new Promise((resolve) => browser.once("exit", resolve))
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  let log = ""
  const port = await new Promise((resolve, reject) => {
    browser.stderr.on("data", (bytes) => {
      log += bytes
      const found = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(log)
      if (found) resolve(found[1])
    })
    browser.once("exit", () => reject(new Error(`Chromium ended: ${log}`)))
  })
  return { open: (address) => Page.open(`127.0.0.1:${port}`, address), end }
}

class Page {
  static async open(host, address) {
    const answer = await fetch(`http://${host}/json/new?${encodeURIComponent("about:blank")}`, { method: "PUT" })
    const { webSocketDebuggerUrl } = await answer.json()
    const page = new Page()
    Object.assign(page, { last: 0, calls: new Map(), lines: [], loaded: () => {} })
    await new Promise((resolve, reject) => {
      page.socket = new WebSocket(host, {
        opened: resolve, received: (bytes) => page.receive(JSON.parse(bytes)), closed: () => reject(new Error("the page ended")),
      }, { path: new URL(webSocketDebuggerUrl).pathname, isText: true })
    })
    await page.call("Runtime.enable")
    await page.call("Page.enable")
    const loaded = new Promise((resolve) => { page.loaded = resolve })
    await page.call("Page.navigate", { url: address })
    await loaded
    return page
  }

  receive(message) {
    if (message.id !== undefined) {
      const { resolve, reject } = this.calls.get(message.id)
      this.calls.delete(message.id)
      if (message.error) reject(new Error(message.error.message))
      else resolve(message.result)
    } else if (message.method === "Page.loadEventFired") {
      this.loaded()
    } else if (message.method === "Runtime.consoleAPICalled") {
      this.lines.push(message.params.args.map((each) => each.value ?? each.description).join(" "))
    } else if (message.method === "Runtime.exceptionThrown") {
      this.lines.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text)
    }
  }

  call(method, params = {}) {
    const id = ++this.last
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject })
      this.socket.send(Buffer.from(JSON.stringify({ id, method, params })))
    })
  }

  /** The value of an expression, whose promises are kept; `isTouch`: as if in the handler of a touch. */
  async value(expression, { isTouch = false } = {}) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true, userGesture: isTouch,
    })
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    return result.value
  }

  /** Writes into a field, as if typed. */
  fill(selector, text) {
    return this.value(`(() => {
      const field = document.querySelector(${JSON.stringify(selector)})
      field.value = ${JSON.stringify(text)}
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })()`)
  }

  /** Chooses a file of this machine. */
  async choose(selector, file) {
    const { root } = await this.call("DOM.getDocument")
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector })
    await this.call("DOM.setFileInputFiles", { nodeId, files: [file] })
  }

  /** Presses a key and lets it go. */
  async press(key) {
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", key, text: key })
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", key })
  }

  /** Done when an expression is true, looked at twenty times a second. */
  async until(what, expression, limit = 30_000) {
    const end = Date.now() + limit
    while (!(await this.value(expression))) {
      if (Date.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}\n${this.lines.join("\n")}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
