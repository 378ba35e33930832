// The README's page of bindings/web in a real browser, with a real film, in step with a native participant.

import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking as lackingChromium } from "./chromium.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { root } from "./module.mjs"
import { aNative, lacking as lackingNative } from "./native.mjs"
import { aFilm, serve } from "./site.mjs"

/** How long both play before and after the seek, and how often they are compared, ms. */
const [SPAN, PAUSE] = [12_000, 250]
/**
 * How far the page may be off, s, and from which part of a span on: within a frame of a film 3 s after a start, nudged home by 2 %
 * from there. A busy machine takes a start itself far off, so that only the second says how well the two go together.
 */
const WITHIN = [{ from: 1 / 4, most: 0.040 }, { from: 1 / 2, most: 0.020 }]

const skip = (!fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`)
  || lackingNative() || lackingChromium()

/** What 95 of 100 stay within. */
const percentile95 = (values) => [...values].sort((one, other) => one - other)[Math.floor((values.length * 95 - 1) / 100)]

/** How far the page is ahead of the native one, s, compared for a while. */
async function compare(page, native, span) {
  const skews = []
  for (const end = Date.now() + span; Date.now() < end;) {
    native.tell("where")
    const [, place, time] = (await native.hear("at ")).split(" ").map(Number)
    const here = await page.value("({ place: film.currentTime, time: performance.timeOrigin + performance.now() })")
    skews.push(here.place - (place / 1e9 + (here.time - time / 1e6) / 1000))
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return skews
}

test("F96: the README's page plays a film in Chromium in step with a native participant", { skip }, async (context) => {
  const film = aFilm(90)
  let hub
  const readme = fs.readFileSync(path.join(root, "bindings/web/README.md"), "utf8")
  const [, html] = /```html\n([^]*?)```/.exec(readme)
  const page = () => {
    const filled = html.replace("film.mp4", "film.webm").replace(/"unisono-hub:[^"]*"/, JSON.stringify(hub.line))
    assert.ok(filled.includes("film.webm") && filled.includes(hub.line))
    // What the test looks at.
    return `<!doctype html>${filled.replace("await session.join()", "globalThis.session = session; await session.join()")}`
  }
  const served = await serve(film.path, page)
  hub = await aHub("--origin", served.origin)
  const chromium = await aChromium()
  let native
  try {
    const here = await chromium.open(`${served.origin}/`)
    await here.until("the page has joined", "globalThis.session?.state.status === 'joined' && session.invite !== ''")
    native = aNative(await here.value("session.invite"), "film")
    await native.hear("joined")
    // Nobody has touched the page: it takes no part yet, and is not waited for.
    await here.until("both are at the film", "session.participants.filter((each) => each.item === 'film').length === 2")
    await here.until("the page waits for a touch", `session.player.needsGesture
      && session.participants.find((each) => each.isLocal).suspensionReasons.join() === "user-action-required"`)

    await here.value("play.click()", { isTouch: true })
    await native.hear("playing")
    await here.until("the film runs", "!film.paused && film.currentTime > 0")
    const started = await compare(here, native, SPAN)

    const before = await here.value("session.player.statistics()")
    native.tell("seek 60")
    await here.until("the film is there", "film.currentTime >= 60 && !film.seeking && !film.paused")
    const sought = await compare(here, native, SPAN)

    await here.value("pause.click()", { isTouch: true })
    await native.hear("paused")
    await here.until("the film stands", "film.paused")
    const told = await here.value("session.player.statistics()")

    const inMs = (value) => (value * 1000).toFixed(1)
    const parts = WITHIN.map(({ from, most }) => {
      const skews = [started, sought].flatMap((span) => span.slice(Math.ceil(from * span.length)))
      return { skews, found: percentile95(skews.map(Math.abs)), most }
    })
    const settled = parts.at(-1)
    context.diagnostic(
      `skew to the native one: p95 ${parts.map(({ found }) => inMs(found)).join(" and ")} ms, in the end ${
        inMs(Math.max(...settled.skews.map(Math.abs)))} ms at most of ${settled.skews.length}; ` +
      `by its own account p95 ${inMs(told.skewP95)} ms, ${told.nudges} nudges, ${told.seeks} seeks, ` +
      `a start takes ${inMs(told.startLatency)} ms; round trip ${inMs(before.roundTrip)} and ${inMs(told.roundTrip)} ms, ` +
      `clock within ${inMs(before.clockError)} and ${inMs(told.clockError)} ms`)
    assert.deepEqual(here.lines, [], "the page's console has nothing to say")
    assert.ok(told.skewP95 !== null && told.startLatency !== null, "the player measures itself")
    for (const { skews, found, most } of parts) {
      assert.ok(found <= most, `95 of 100 are within ${inMs(found)} ms, not ${inMs(most)}: ${skews.map(inMs)}`)
    }
  } finally {
    native?.end()
    await chromium.end()
    hub.end()
    served.end()
    film.end()
  }
})
