// A Firefox of tests, without a window, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/).

import * as browser from "./browser.mjs"

const COMMAND = process.env.UNISONO_FIREFOX ?? "firefox-esr"

/** What tests with a film lack here; false: nothing. */
export const lacking = () => browser.lacking(COMMAND, "firefox-esr")

/** One that has nothing open; its folder goes with it. */
export async function aFirefox() {
  const { host, end } = await browser.launched(COMMAND, (folder) => [
    "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder, "about:blank",
  ], /WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/)
  // A Firefox has one such session, for all of its pages.
  const pages = new Map()
  const hear = (method, params) => pages.get(params.source?.context)?.hear(method, params)
  const begin = async () => {
    const remote = await browser.Remote.open(host, "/session", hear)
    await remote.call("session.new", { capabilities: {} })
    await remote.call("session.subscribe", { events: ["log.entryAdded"] })
    return remote
  }
  const remote = await begin().catch(async (error) => {
    await end()
    throw error
  })
  const open = async (address) => {
    const page = new Page()
    const { context } = await remote.call("browsingContext.create", { type: "tab" })
    Object.assign(page, { remote, context })
    pages.set(context, page)
    await remote.call("browsingContext.navigate", { context, url: address, wait: "complete" })
    return page
  }
  return { open, end }
}

class Page extends browser.Page {
  hear(method, { level, text }) {
    if (method === "log.entryAdded") this.lines.push(`${level}: ${text}`)
  }

  async evaluate(expression) {
    const answer = await this.remote.call("script.evaluate", {
      expression, target: { context: this.context }, awaitPromise: true,
    })
    if (answer.type === "exception") throw new Error(`${expression}: ${answer.exceptionDetails.text}`)
    return answer.result
  }

  /** The value of an expression, whose promises are kept. */
  async value(expression) {
    // The protocol's own way to write values has a form of each of JavaScript's; here they are all of JSON.
    const { value } = await this.evaluate(`(async () => JSON.stringify(await (${expression})))()`)
    return value === undefined ? undefined : JSON.parse(value)
  }

  async element(selector) {
    const { sharedId } = await this.evaluate(`document.querySelector(${JSON.stringify(selector)})`)
    return { sharedId }
  }

  /** Clicks with a mouse: what a person has touched stays touched, which a script that is run as by a person does not see to. */
  async touch(selector) {
    await this.value(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: "center" })`)
    const origin = { type: "element", element: await this.element(selector) }
    await this.remote.call("input.performActions", {
      context: this.context,
      actions: [{
        type: "pointer", id: "mouse",
        actions: [{ type: "pointerMove", x: 0, y: 0, origin }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }],
      }],
    })
  }

  /** Chooses a file of this machine. */
  async choose(selector, file) {
    await this.remote.call("input.setFiles", { context: this.context, element: await this.element(selector), files: [file] })
  }
}
