// A Chromium of tests, without a window, driven by the DevTools protocol.

import * as browser from "./browser.mjs"

const COMMAND = process.env.UNISONO_CHROMIUM ?? "chromium"

/** What tests with a film lack here; false: nothing. */
export const lacking = () => browser.lacking(COMMAND, "chromium")

/** One that has nothing open; its folder goes with it. */
export async function aChromium() {
  const { host, end, signal } = await browser.launched(COMMAND, (folder) => [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio", "--no-first-run", "--disable-dev-shm-usage",
    "--remote-debugging-port=0", `--user-data-dir=${folder}`, "about:blank",
  ], /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//)
  return { open: (address) => Page.open(host, address), end, signal }
}

class Page extends browser.Page {
  static async open(host, address) {
    const answer = await fetch(`http://${host}/json/new?${encodeURIComponent("about:blank")}`, { method: "PUT" })
    const { webSocketDebuggerUrl } = await answer.json()
    const page = new Page()
    page.remote = await browser.Remote.open(host, new URL(webSocketDebuggerUrl).pathname, (method, params) => page.hear(method, params))
    await page.call("Runtime.enable")
    await page.call("Page.enable")
    const loaded = new Promise((resolve) => { page.loaded = resolve })
    await page.call("Page.navigate", { url: address })
    await loaded
    return page
  }

  hear(method, params) {
    if (method === "Page.loadEventFired") {
      this.loaded?.()
    } else if (method === "Runtime.consoleAPICalled") {
      this.lines.push(params.args.map((each) => each.value ?? each.description).join(" "))
    } else if (method === "Runtime.exceptionThrown") {
      this.lines.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
    }
  }

  call(method, params) { return this.remote.call(method, params) }

  /** The value of an expression, whose promises are kept; `isTouch`: as if in the handler of a touch. */
  async value(expression, { isTouch = false } = {}) {
    const { result, exceptionDetails } = await this.call("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true, userGesture: isTouch,
    })
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    return result.value
  }

  /** Clicks, as if by a person. */
  touch(selector) { return this.value(`document.querySelector(${JSON.stringify(selector)}).click()`, { isTouch: true }) }

  /** Chooses a file of this machine. */
  async choose(selector, file) {
    const { root } = await this.call("DOM.getDocument")
    const { nodeId } = await this.call("DOM.querySelector", { nodeId: root.nodeId, selector })
    await this.call("DOM.setFileInputFiles", { nodeId, files: [file] })
  }

  /** Presses a key and lets it go. */
  async press(key, { isWithControl = false } = {}) {
    const modifiers = isWithControl ? 2 : 0
    await this.call("Input.dispatchKeyEvent", { type: "keyDown", key, modifiers, ...(isWithControl ? {} : { text: key }) })
    await this.call("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers })
  }
}
