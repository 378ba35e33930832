// The page of bindings/web/page as a hub serves it, with a film that is at the hub: one tap, and the guest has it.

import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking } from "./chromium.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { root } from "./module.mjs"
import { choosePlace, comeIn } from "./page.mjs"
import { aFilm, aPackage } from "./site.mjs"

const skip = (!fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`) || lacking()

test("F105, F106: a guest opens the link at a hub, joins with one tap, and has the film from there", { skip }, async () => {
  const film = aFilm(20)
  const served = aPackage()
  const hub = await aHub("--web", served.path, "--media", path.dirname(film.path))
  const origin = `http://${/\/\/([^/]+)\//.exec(hub.line)[1]}`
  const chromium = await aChromium()
  try {
    const one = await chromium.open(`${origin}/`)
    await comeIn(one, "Ada", hub.line)
    await one.until("there is an invite", "session.invite !== ''")
    await one.choose("#file", film.path)
    await one.until("the film is there", "document.querySelector('#film').readyState >= 3 && !document.querySelector('#play').disabled")

    const other = await chromium.open(`${origin}/page/#${encodeURIComponent(await one.value("session.invite"))}`)
    await comeIn(other, "Ben")
    await one.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")
    assert.equal(await other.value("document.querySelector('#film').currentSrc"), `${origin}/media/film.webm`)
    await other.value("document.querySelector('#play').click()", { isTouch: true })
    for (const page of [one, other]) {
      await page.until("the film runs", "!document.querySelector('#film').paused && document.querySelector('#film').currentTime > 0.2")
    }
    // A place that was not read yet: a range, from the hub.
    await choosePlace(one, 15)
    for (const page of [one, other]) await page.until("both went on", "document.querySelector('#film').currentTime > 15.2")
  } finally {
    await chromium.end()
    hub.end()
    served.end()
    film.end()
  }
})

test("F77, F96: all of the package for browsers is installed: a page that imports what is not there shows nothing", () => {
  const script = fs.readFileSync(path.join(root, "packaging/install.sh"), "utf8")
  const [, names] = /^for name in (README\.md[^;]*); do$/m.exec(script.replace(/\\\n\s*/g, ""))
  const files = ["", "page/"].flatMap((folder) => fs.readdirSync(path.join(root, "bindings/web", folder), { withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => folder + entry.name))
  assert.deepEqual(names.split(" ").sort(), [...files, "LICENSE", "unisono.wasm"].sort())
})
