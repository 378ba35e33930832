// What a person sees who watches by the page in Chromium with somebody in mpv, measured from outside: the scenes of bench_web.py, which
// starts this on the browser's host and does what happens to network and hub. It is asked in lines on the standard output,
// {"ask": …}, each answered by a line; {"scene": …} are the figures of a scene, {"failed": …} says why there are none.

import { setTimeout as pause } from "node:timers/promises"
import { createInterface } from "node:readline"
import { aChromium } from "../../Tests/web/chromium.mjs"
import { Mpv } from "../../Tests/web/mpv.mjs"
import { choosePlace, comeIn, position, runs, stands } from "../../Tests/web/page.mjs"
import { until } from "../../Tests/web/waiting.mjs"

const { address, film, socket, scenes, seconds, away, limit } = JSON.parse(process.argv[2])
/** Skew is looked at so often, ms. */
const EVERY = 50
/** Both are in step when so many ms of samples say so. */
const IN_STEP = 3000

const say = (line) => console.log(JSON.stringify(line))
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
async function ask(what) {
  say({ ask: what })
  await answers.next()
}

const FILM = "document.querySelector('#film')"
const status = (page) => page.value("document.querySelector('#status').textContent")
const isNear = (place, target) => place !== null && place > target - 0.1 && place < target + 3

class Couple {
  constructor(chromium, page, mpv) { Object.assign(this, { chromium, page, mpv }) }

  /** How far the page is ahead, ms; null: one of them is between places. */
  async skew() {
    const [theirs, here] = [await this.mpv.position(), await position(this.page)]
    return theirs && here.place - theirs.place - (here.time - theirs.time) / 1000
  }

  /** Skews of a stretch: since when it lasts, and how far the page is ahead, ms. */
  async stretch(span) {
    const skews = []
    for (const begin = performance.now(), end = begin + span; performance.now() < end; await pause(EVERY)) {
      const skew = await this.skew()
      if (skew !== null) skews.push([performance.now() - begin, skew * 1000])
    }
    return skews
  }

  /** Does something, and waits until it is so at both; how long that took, ms. `there`, `here`: whether it is so in mpv, on the page. */
  async both(what, act, there, here) {
    await pause(200 + Math.random() * 1200)
    const begin = performance.now()
    await act()
    await until(`mpv: ${what}`, there, { every: 5 })
    await until(`the page: ${what}`, here, { every: 5 })
    return performance.now() - begin
  }

  /** From a side: "page" or "mpv". How far apart they began, ms. */
  async play(side) {
    let last = Infinity
    // Wherever it stood before.
    const moves = async () => {
      const place = await this.page.value(`${FILM}.paused || ${FILM}.seeking ? Infinity : ${FILM}.currentTime`)
      const has = place > last
      last = place
      return has && place < Infinity
    }
    const act = side === "page" ? () => this.page.touch("#play") : () => this.mpv.command("set_property", "pause", false)
    // Until its sound is heard mpv says where it was before, also before it was taken to where the page stood.
    let heard = Infinity
    const sounds = async () => {
      const place = (await this.mpv.position())?.place ?? Infinity
      const has = place > heard
      heard = place
      return has && place < Infinity && (await this.mpv.get("pause")) === false
    }
    const took = await this.both("it runs", act, sounds, moves)
    // A look takes a ms or two; the median of the first ones.
    const first = []
    while (first.length < 5) {
      const skew = await this.skew()
      if (skew !== null) first.push(Math.abs(skew) * 1000)
    }
    return { took, apart: first.sort((one, other) => one - other)[2] }
  }

  async stand(side) {
    const act = side === "page" ? () => this.page.touch("#play") : () => this.mpv.command("set_property", "pause", true)
    const took = await this.both("it stands", act, async () => (await this.mpv.get("pause")) === true, () => this.page.value(stands))
    return took
  }

  seek(side, target) {
    const act = side === "page" ? () => choosePlace(this.page, target) : () => this.mpv.command("seek", target, "absolute+exact")
    return this.both("it is there", act, async () => !(await this.mpv.get("seeking")) && isNear(await this.mpv.get("time-pos"), target),
      async () => isNear(await this.page.value(`${FILM}.seeking ? null : ${FILM}.currentTime`), target))
  }

  /**
   * Looks on, at most a minute and a half, until both are in step: how long after `begin` that was so, and when the page said that its
   * connection is lost and that it is back, ms; those of the skews that were had from then on, for ten seconds.
   */
  async recovery(begin) {
    const since = () => performance.now() - begin
    const told = { lost: null, back: null, inStep: null }
    let good = null
    await until("both are in step again", async () => {
      const isLost = /^The connection is lost/.test(await status(this.page))
      if (isLost) Object.assign(told, { lost: told.lost ?? since(), back: null })
      else if (told.lost !== null) told.back ??= since()
      const skew = await this.skew()
      if (isLost || skew === null || Math.abs(skew) * 1000 > limit) good = null
      else good ??= since()
      return good !== null && since() - good > IN_STEP
    }, { limit: 90_000 })
    return { ...told, inStep: good, skews: await this.stretch(10_000) }
  }
}

const SCENES = {
  /** Play, pause and seek from both sides. */
  async together(couple) {
    const found = { skews: [], starts: [], play: [], pause: [], seek: [] }
    const run = async (side) => {
      const { took, apart } = await couple.play(side)
      found.play.push(took)
      found.starts.push(apart)
    }
    const stretch = async (span) => { found.skews.push(...await couple.stretch(span)) }
    const end = performance.now() + seconds * 1000
    for (let round = 0; performance.now() < end; round++) {
      const [one, other] = round % 2 === 0 ? ["page", "mpv"] : ["mpv", "page"]
      const place = 20 + 100 * (round % 2)
      await run(one)
      await stretch(10_000)
      found.seek.push(await couple.seek(other, place + 10))
      await stretch(6000)
      found.pause.push(await couple.stand(other))
      found.seek.push(await couple.seek(one, place + 40))
      await run(other)
      await stretch(5000)
      found.seek.push(await couple.seek(one, place + 60))
      await stretch(5000)
      found.pause.push(await couple.stand(one))
    }
    return found
  },

  /** The browser's device goes to another network, whose path is worse. */
  async elsewhere(couple) {
    await couple.play("mpv")
    await couple.stretch(5000)
    const begin = performance.now()
    await ask("go elsewhere")
    // Who is at mpv does not know.
    await couple.mpv.command("set_property", "pause", true)
    await until("the page has heard of it", () => couple.page.value(stands), { limit: 60_000, every: 5 })
    const heard = performance.now() - begin
    await pause(1000)
    const standing = (await position(couple.page)).place - (await couple.mpv.get("time-pos"))
    const { took, apart } = await couple.play("mpv")
    const found = await couple.recovery(performance.now())
    return { ...found, heard, standing, play: [took], starts: [apart], pause: [await couple.stand("mpv")] }
  },

  /** The hub is killed, and comes back; both play on meanwhile. */
  async hub(couple) {
    await couple.play("page")
    await couple.stretch(5000)
    const begin = performance.now()
    await ask("kill the hub")
    await until("the loss is said", async () => /^The connection is lost/.test(await status(couple.page)), { limit: 60_000 })
    const lost = performance.now() - begin
    const skewsAway = await couple.stretch(away * 1000)
    const back = performance.now()
    await ask("start the hub")
    const found = await couple.recovery(back)
    return { ...found, lost, skewsAway, pause: [await couple.stand("page")] }
  },

  /** Another tab is in front; the timers of this one hardly run. */
  async hidden(couple) {
    await couple.play("mpv")
    const other = await couple.chromium.open("about:blank")
    await other.call("Page.bringToFront")
    await until("it is hidden", () => couple.page.value("document.visibilityState === 'hidden'"))
    const skews = await couple.stretch(away * 1000)
    const found = { skews, pause: [await couple.stand("mpv")], seek: [await couple.seek("mpv", 30)] }
    const { took, apart } = await couple.play("mpv")
    await couple.page.call("Page.bringToFront")
    const inFront = await couple.stretch(5000)
    return { ...found, play: [took], starts: [apart], skews: [...skews, ...inFront], pause: [...found.pause, await couple.stand("page")] }
  },

  /** The device sleeps: all of the browser's processes stand, and go on. */
  async sleep(couple) {
    await couple.seek("mpv", 10)
    await couple.play("mpv")
    await couple.stretch(5000)
    const before = await couple.mpv.get("time-pos")
    couple.chromium.signal("SIGSTOP")
    try {
      await pause(away * 1000)
    } finally {
      couple.chromium.signal("SIGCONT")
    }
    const wentOn = (await couple.mpv.get("time-pos")) - before
    const found = await couple.recovery(performance.now())
    return { ...found, wentOn, pause: [await couple.stand("page")] }
  },
}

const chromium = await aChromium()
try {
  const page = await chromium.open(address)
  await comeIn(page, "Ben")
  await page.until("it knows what is watched", "/Choose your copy/.test(document.querySelector('#wanted').textContent)")
  await page.choose("#file", film)
  await page.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")
  const couple = new Couple(chromium, page, await Mpv.at(socket))
  // The clocks are measured.
  await pause(10_000)
  for (const name of scenes) {
    try {
      say({ scene: name, ...await SCENES[name](couple) })
    } catch (error) {
      const told = await page.value("[document.querySelector('header').innerText, document.querySelector('#who').innerText].join()").catch(() => "")
      say({ scene: name, failed: `${error.message} ${told}`.trim() })
      break
    }
  }
  for (const line of page.lines) say({ line })
  couple.mpv.end()
} finally {
  await chromium.end()
}
process.exit(0)
