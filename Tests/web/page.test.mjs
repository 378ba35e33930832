// The page of bindings/web/page in Chromium: one begins a session, the other comes by its link, and they watch the same file.

import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking } from "./chromium.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { aFilm, serve } from "./site.mjs"

const skip = (!fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`) || lacking()
/** Where pictures of the page are put; unless given, none are made. */
const PICTURES = process.env.UNISONO_PICTURES
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }

async function come(page, name, hub) {
  await page.until("the page asks for a name", "!document.querySelector('#entry').hidden")
  await page.fill("#name", name)
  if (hub) await page.fill("#hub", hub)
  await page.value("document.querySelector('#enter').click()", { isTouch: true })
  await page.until("it is in the session", "!document.querySelector('#room').hidden")
}

const text = (page, selector) => page.value(`document.querySelector(${JSON.stringify(selector)}).innerText`)

test("F96: two people watch by the page: link, own copies, play, seek, chat, and who is waited for", { skip }, async (context) => {
  const film = aFilm()
  const served = await serve(film.path, () => "")
  const hub = await aHub("--origin", served.origin)
  const chromium = await aChromium()
  try {
    const address = `${served.origin}/unisono/page/index.html`
    const one = await chromium.open(address)
    await come(one, "Ada", hub.line)
    await one.until("there is an invite", "session.invite !== ''")
    await one.choose("#file", film.path)
    await one.until("the film is there", "document.querySelector('#film').readyState >= 3 && !document.querySelector('#play').disabled")

    const other = await chromium.open(`${address}#${encodeURIComponent(await one.value("session.invite"))}`)
    await other.call("Emulation.setDeviceMetricsOverride", PHONE)
    await come(other, "Ben <b>")
    await other.until("it knows what is watched", "/Choose your copy/.test(document.querySelector('#wanted').textContent)")
    await other.choose("#file", film.path)
    await one.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")
    await one.until("both are named", "document.querySelectorAll('#who li').length === 2")
    assert.match(await text(one, "#who"), /Ben <b>/)

    await one.value("document.querySelector('#play').click()", { isTouch: true })
    for (const page of [one, other]) {
      await page.until("the film runs", "!document.querySelector('#film').paused && document.querySelector('#film').currentTime > 0.2")
    }
    await other.value("document.querySelector('#forward').click()", { isTouch: true })
    for (const page of [one, other]) await page.until("both went on", "document.querySelector('#film').currentTime > 10")

    await other.fill("#text", "<img src=x onerror=alert(1)>")
    await other.value("document.querySelector('#say').requestSubmit()")
    await one.until("it is read", "document.querySelector('#chat').innerText.includes('<img src=x')")
    assert.equal(await one.value("document.querySelectorAll('#chat img').length"), 0)
    // Its tab is behind the other one's, where browsers slow timers down.
    assert.equal(await one.value("document.visibilityState"), "hidden")
    await one.until("how far it is in step is said", "/^In step within \\d+ ms$/.test(document.querySelector('#step').textContent)")

    // On a phone nothing is wider than the screen, and what can be pressed has a name that is read out.
    assert.ok(await other.value("document.documentElement.scrollWidth <= innerWidth"))
    const { nodes } = await other.call("Accessibility.getFullAXTree")
    const pressed = nodes.filter((node) => ["button", "textbox", "slider", "checkbox"].includes(node.role?.value) && !node.ignored)
    assert.ok(pressed.length >= 8, `${pressed.length} are there`)
    for (const node of pressed) assert.ok(node.name?.value, `a ${node.role.value} has a name`)

    // By the keyboard alone.
    await other.value("document.activeElement.blur()")
    await other.press(" ")
    for (const page of [one, other]) await page.until("the film stands", "document.querySelector('#film').paused")

    if (PICTURES) {
      fs.mkdirSync(PICTURES, { recursive: true })
      await one.call("Emulation.setDeviceMetricsOverride", { width: 1200, height: 760, deviceScaleFactor: 1, mobile: false })
      await other.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] })
      for (const [name, page] of [["page", one], ["page-phone", other]]) {
        await page.value("scrollTo(0, 0)")
        const { data } = await page.call("Page.captureScreenshot", { format: "png" })
        fs.writeFileSync(path.join(PICTURES, `${name}.png`), Buffer.from(data, "base64"))
      }
      context.diagnostic(`pictures are in ${PICTURES}`)
    }

    await other.value("document.querySelector('#leave').click()", { isTouch: true })
    await one.until("it is told that the other is gone", "document.querySelectorAll('#who li').length === 1")
  } finally {
    await chromium.end()
    hub.end()
    served.end()
    film.end()
  }
})
