// `unisono watch --web`: who watches in mpv shows a link, a browser opens it, and both are in step.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking as lackingChromium } from "./chromium.mjs"
import { COMMAND } from "./hub.mjs"
import { lacking as lackingMpv, Mpv } from "./mpv.mjs"
import { comeIn, position, runs, stands } from "./page.mjs"
import { aFilm, aPackage } from "./site.mjs"
import { until } from "./waiting.mjs"

/** What the page is to be within, s, the median of so many samples: less than two mpv (Tests/e2e/test_two_mpv.py). */
const [SKEW, STRETCH] = [0.010, 30]
const plugin = path.join(path.dirname(COMMAND), "unisono.so")

const skip = (!fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`)
  || (!fs.existsSync(plugin) && `${plugin} is not built; on Debian: apt install libmpv-dev, then \`make plugin\``)
  || lackingMpv() || lackingChromium()

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]

/** `unisono watch --web` with a film, and its mpv. */
async function aWatcher(film, page) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "unisono-watch-"))
  const [socket, settings] = [path.join(folder, "mpv.sock"), path.join(folder, "agent.toml")]
  fs.writeFileSync(settings, "")
  const watch = spawn(COMMAND, [
    "watch", "--web", film, "--name", "Ann", "--config", settings,
    "--", "--no-config", "--vo=null", "--ao=null", `--input-ipc-server=${socket}`,
  ], {
    env: { ...process.env, UNISONO_PAGE: page, XDG_RUNTIME_DIR: folder, DISPLAY: "", WAYLAND_DISPLAY: "" },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let said = ""
  for (const stream of [watch.stdout, watch.stderr]) stream.on("data", (bytes) => { said += bytes })
  const hasEnded = new Promise((resolve) => watch.once("exit", resolve))
  const end = async () => {
    watch.kill()
    await hasEnded
    fs.rmSync(folder, { recursive: true })
  }
  try {
    const shown = /for browsers here, .*: (http:\/\/\S+)\n/
    await until("the link is shown", () => shown.test(said), { describe: () => said })
    return { link: shown.exec(said)[1], mpv: await Mpv.at(socket), hasEnded, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Both come to the same place and stay there; the skews of the stretch at which that was so, s. */
async function inStep(page, mpv) {
  const last = []
  await until("both are in step", async () => {
    const [theirs, here] = [await mpv.position(), await position(page)]
    if (theirs) last.push(here.place - theirs.place - (here.time - theirs.time) / 1000)
    if (last.length > STRETCH) last.shift()
    return last.length === STRETCH && median(last.map(Math.abs)) < SKEW
  }, { describe: () => last })
  return last
}

test("F119: a guest in Chromium opens the link of `unisono watch --web` and is in step with its mpv", { skip }, async (context) => {
  const film = aFilm(40)
  const page = aPackage()
  const ann = await aWatcher(film.path, page.path)
  const chromium = await aChromium()
  try {
    const ben = await chromium.open(ann.link)
    await comeIn(ben, "Ben")
    await ben.until("the film came from the link's own server", "document.querySelector('#film').readyState >= 3")
    assert.equal(await ben.value("new URL(document.querySelector('#film').currentSrc).origin === location.origin"), true)
    await ben.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")

    await ben.touch("#play")
    await ben.until("the film runs", runs)
    await until("mpv plays", async () => (await ann.mpv.get("pause")) === false)
    const started = await inStep(ben, ann.mpv)

    await ben.touch("#play")
    await until("mpv stands", async () => (await ann.mpv.get("pause")) === true)
    await ben.until("the film stands", stands)

    // What the person at mpv does, the page does.
    await ann.mpv.command("seek", 30, "absolute+exact")
    await ben.until("the film is there", "Math.abs(document.querySelector('#film').currentTime - 30) < 0.05")
    await ann.mpv.command("set_property", "pause", false)
    await ben.until("the film goes on", "!document.querySelector('#film').paused")
    const again = await inStep(ben, ann.mpv)
    const inMs = (skews) => `${(median(skews) * 1000).toFixed(1)} ms`
    context.diagnostic(`skew of the page to mpv, median of ${STRETCH}: ${inMs(started)}, after a seek ${inMs(again)}`)

    await ann.mpv.command("keypress", "q")
    assert.equal(await ann.hasEnded, 0)
    assert.deepEqual(ben.lines, [], "the page's console has nothing to say")
  } finally {
    await chromium.end()
    ann.mpv.end()
    await ann.end()
    page.end()
    film.end()
  }
})
