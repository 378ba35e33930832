// The page of who listens, bindings/web/page/listen.html: in Chromium, beside a native host who speaks to an audience.

import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking as lackingChromium } from "./chromium.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { aNative, lacking as lackingNative } from "./native.mjs"
import { position, runs, stands } from "./page.mjs"
import { aFilm, serve } from "./site.mjs"
import { until } from "./waiting.mjs"

const lackingCommand = !fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`
const skip = lackingCommand || lackingChromium() || lackingNative()
/** Where pictures of the page are put; unless given, none are made. */
const PICTURES = process.env.UNISONO_PICTURES

test("F141: who comes by a listening link watches in step by the page, reacts, writes to the hosts, and is let in", { skip }, async (context) => {
  const film = aFilm(120)
  const served = await serve(film.path, () => "")
  const hub = await aHub("--origin", served.origin)
  const native = aNative(hub.line, "film", "HOSTS_ONLY")
  const chromium = await aChromium()
  context.after(async () => {
    await chromium.end()
    native.end()
    hub.end()
    served.end()
    film.end()
  })
  await native.hear("joined")
  native.tell("activate Bach & Sons")
  native.tell("audience")
  let link
  while (!link) link = (await native.hear("audience open")).split(" ")[3]
  const address = `${served.origin}/unisono/page/listen.html`
  const page = await chromium.open(`${address}#${encodeURIComponent(link)}`)
  await page.call("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true })
  await page.until("it knows what is on", "/is on. Choose your copy/.test(document.querySelector('#wanted').textContent)")
  assert.equal(await page.value("document.querySelector('#title').textContent"), "Bach & Sons")
  await page.choose("#file", film.path)
  await page.until("the film is there", "document.querySelector('#film').readyState >= 3")
  // A file was chosen without a touch, by this test.
  await page.touch("#allow")
  native.tell("play")
  await page.until("the film runs", runs)
  const skew = async () => {
    const { place, time } = await position(page)
    native.tell("where")
    const [, at, then] = (await native.hear("at ")).split(" ")
    return Math.abs(place - (time - Number(then) / 1e6) / 1000 - Number(at) / 1e9)
  }
  await until("it is in step", async () => (await skew()) < 0.05)
  await page.until("and says so", "/^In step within/.test(document.querySelector('#step').textContent)")

  // Nothing is wider than a phone, and what can be pressed has a name that is read out.
  assert.ok(await page.value("document.documentElement.scrollWidth <= innerWidth"))
  assert.ok(await page.value("[...document.querySelectorAll('button')].every((each) => each.textContent || each.getAttribute('aria-label'))"))
  await page.touch("#react button")
  let line
  do line = await native.hear("audience open"); while (!line.endsWith("+1 1"))
  await page.until("the count", "document.querySelector('#react button').textContent === '+1 1'")
  await page.until("how many listen", "document.querySelector('#listeners').textContent === 'Listening: 1'")
  await page.fill("#text", "Louder, please")
  await page.value("document.querySelector('#say').requestSubmit()")
  assert.equal(await native.hear("listener says"), "listener says Louder, please")
  await page.touch("#ask")
  await native.hear("listener asks")
  native.tell("let-in")
  await page.until("it may come in", "!document.querySelector('#invited').hidden")
  const way = new URL(await page.value("document.querySelector('#come-in').href"))
  assert.equal(way.pathname, "/unisono/page/index.html")
  assert.match(decodeURIComponent(way.hash), /^#unisono:/)
  if (PICTURES) await picture(page, context)

  native.tell("pause")
  await page.until("the film stands", stands)
  native.tell("close-audience")
  await page.until("it is over", "/It is over/.test(document.querySelector('#status').textContent)")
  assert.deepEqual(page.lines, [])

  const lost = await chromium.open(`${address}#nothing`)
  await lost.until("a link that is none is refused", "!document.querySelector('#warning').hidden")
})

async function picture(page, context) {
  fs.mkdirSync(PICTURES, { recursive: true })
  const { data } = await page.call("Page.captureScreenshot", { format: "png" })
  fs.writeFileSync(path.join(PICTURES, "page-listen.png"), Buffer.from(data, "base64"))
  context.diagnostic(`pictures are in ${PICTURES}`)
}
