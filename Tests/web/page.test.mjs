// The page of bindings/web/page: in Chromium one begins a session, the other comes by its link, and they watch the same file; in Firefox a
// guest of a native host.

import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { aChromium, lacking as lackingChromium } from "./chromium.mjs"
import { aFirefox, lacking as lackingFirefox } from "./firefox.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { aNative, lacking as lackingNative } from "./native.mjs"
import { choosePlace, comeIn, position, runs, stands } from "./page.mjs"
import { aFilm, serve } from "./site.mjs"
import { until } from "./waiting.mjs"

const lackingCommand = !fs.existsSync(COMMAND) && `${COMMAND} is not built; run \`make command\` first`
const skip = lackingCommand || lackingChromium()
const skipNative = skip || lackingNative()
const skipFirefox = lackingCommand || lackingNative() || lackingFirefox()
/** Where pictures of the page are put; unless given, none are made. */
const PICTURES = process.env.UNISONO_PICTURES
const DESK = { width: 1200, height: 1080, deviceScaleFactor: 1, mobile: false }
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true }

const text = (page, selector) => page.value(`document.querySelector(${JSON.stringify(selector)}).innerText`)

/**
 * Cleo's native host and Ben by the page, in a browser, as its guest: at a hub of their own, with the same film, both ready. All of it ends
 * with the test; who ends the hub puts the next one into its place. `options`: more of the hub's, by the film.
 */
async function aCouple(context, aBrowser, seconds, options = () => []) {
  const film = aFilm(seconds)
  const served = await serve(film.path, () => "")
  const hubOptions = ["--origin", served.origin, ...options(film)]
  const couple = { film, hubOptions, hub: await aHub(...hubOptions) }
  const native = aNative(couple.hub.line, "film")
  const browser = await aBrowser()
  context.after(async () => {
    await browser.end()
    native.end()
    couple.hub.end()
    served.end()
    film.end()
  })
  const [, invite] = (await native.hear("invite ")).split(" ")
  await native.hear("joined")
  const page = await browser.open(`${served.origin}/unisono/page/index.html#${encodeURIComponent(invite)}`)
  await comeIn(page, "Ben")
  await page.until("it knows what is watched", "/Choose your copy/.test(document.querySelector('#wanted').textContent)")
  await page.choose("#file", film.path)
  await page.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")
  return Object.assign(couple, { native, page })
}

test("F96: two people watch by the page: link, own copies, play, seek, chat, and who is waited for", { skip }, async () => {
  const film = aFilm(60)
  const served = await serve(film.path, () => "")
  const hub = await aHub("--origin", served.origin)
  const chromium = await aChromium()
  try {
    const address = `${served.origin}/unisono/page/index.html`
    const one = await chromium.open(address)
    await comeIn(one, "Ada", hub.line)
    await one.until("there is an invite", "session.invite !== ''")
    await one.choose("#file", film.path)
    await one.until("the film is there", "document.querySelector('#film').readyState >= 3 && !document.querySelector('#play').disabled")

    const other = await chromium.open(`${address}#${encodeURIComponent(await one.value("session.invite"))}`)
    await other.call("Emulation.setDeviceMetricsOverride", PHONE)
    // What a headset's or a keyboard's key would call.
    await other.value("navigator.mediaSession.setActionHandler = (name, act) => { (globalThis.keys ??= {})[name] = act }, 0")
    await comeIn(other, "Ben <b>")
    await other.until("it knows what is watched", "/Choose your copy/.test(document.querySelector('#wanted').textContent)")
    await other.choose("#file", film.path)
    await one.until("both are ready", "session.participants.filter((each) => each.isReady).length === 2")
    await one.until("both are named", "document.querySelectorAll('#who li').length === 2")
    assert.match(await text(one, "#who"), /Ben <b>/)

    await one.touch("#play")
    for (const page of [one, other]) {
      await page.until("the film runs", runs)
    }
    await other.touch("#forward")
    for (const page of [one, other]) await page.until("both went on", "document.querySelector('#film').currentTime > 10")

    await other.fill("#text", "<img src=x onerror=alert(1)>")
    await other.value("document.querySelector('#say').requestSubmit()")
    await one.until("it is read", "document.querySelector('#chat').innerText.includes('<img src=x')")
    assert.equal(await one.value("document.querySelectorAll('#chat img').length"), 0)
    // Its tab is behind the other one's, where browsers slow timers down.
    assert.equal(await one.value("document.visibilityState"), "hidden")
    await one.until("how far it is in step is said", "/^In step within \\d+ ms$/.test(document.querySelector('#step').textContent)")

    await one.touch("#react [aria-label='React: crying']")
    for (const [page, who] of [[one, "You react"], [other, "Ada reacts"]]) {
      const line = `^${who} at 0:\\\\d\\\\d: \u{1F622}$`
      await page.until("the reaction is shown", `new RegExp("${line}", "mu").test(document.querySelector('#chat').innerText)`)
    }

    // On a long evening the lines of its beginning go.
    await one.value(`Array.from({ length: 250 }, (_, number) =>
      session.dispatchEvent(new CustomEvent("reaction", { detail: { isOwn: true, itemTime: null, text: String(number) } }))).length`)
    const lines = "[...document.querySelectorAll('#chat div')].map((each) => each.textContent)"
    const shown = await one.value(lines)
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [200, "You react: 50", "You react: 249"])

    // On a phone nothing is wider than the screen, and what can be pressed has a name that is read out.
    assert.ok(await other.value(fits))
    await areNamed(other, 8)

    // By the keyboard alone.
    await other.value("document.activeElement.blur()")
    await other.press(" ")
    for (const page of [one, other]) await page.until("the film stands", stands)

    // By the keys of a headset, or a lock screen.
    await other.value("(keys.pause(), keys.play(), 0)", { isTouch: true })
    for (const page of [one, other]) await page.until("the film runs", "!document.querySelector('#film').paused")
    await other.value("(keys.seekto({ seekTime: 30 }), 0)", { isTouch: true })
    for (const page of [one, other]) await page.until("both went there", "document.querySelector('#film').currentTime >= 30")
    for (const page of [one, other]) await page.until("the film runs", "!document.querySelector('#film').paused")
    await other.value("(keys.pause(), 0)", { isTouch: true })
    for (const page of [one, other]) await page.until("the film stands", stands)

    // Who may not command asks, and is answered.
    await one.value("session.setControl('hosts-only')")
    await other.until("it can ask", "document.querySelector('#play').textContent === 'Ask to play'")
    await other.touch("#play")
    await one.until("it is asked", "document.querySelector('#requests').innerText.includes('Ben <b> asks to play')")
    await one.touch("#requests [aria-label='Yes: Ben <b> asks to play']")
    for (const page of [one, other]) await page.until("the film runs", "!document.querySelector('#film').paused")
    await other.until("yes is said", "/it is done/.test(document.querySelector('#news').textContent)")
    assert.equal(await text(one, "#requests"), "")
    assert.ok(await other.value(fits))
    await choosePlace(other, 40)
    await asks(other, "#wish-ask", "Ask to go to 0:40")
    await one.until("it is asked", "document.querySelector('#requests').innerText.includes('Ben <b> asks to go to 0:40')")
    await one.touch("#requests [aria-label='Yes: Ben <b> asks to go to 0:40']")
    for (const page of [one, other]) await page.until("both went on", "document.querySelector('#film').currentTime >= 40")

    await other.touch("#leave")
    await one.until("it is told that the other is gone", "document.querySelectorAll('#who li').length === 1")
  } finally {
    await chromium.end()
    hub.end()
    served.end()
    film.end()
  }
})

/** Presses a button with this on it until it asks: one can ask once in a second. */
const asks = (page, selector, words) => page.until(`"${words}" can be pressed, and is asked`, `(() => {
  const button = document.querySelector(${JSON.stringify(selector)})
  if (button.textContent === ${JSON.stringify(words)}) button.click()
  return button.getAttribute("aria-disabled") === "true"
})()`)

/** Nothing is wider than the screen. */
const fits = "document.documentElement.scrollWidth <= innerWidth"

/** What can be pressed, so many at least, has a name that is read out. */
async function areNamed(page, least) {
  const { nodes } = await page.call("Accessibility.getFullAXTree")
  const pressed = nodes.filter((node) => ["button", "textbox", "slider", "checkbox"].includes(node.role?.value) && !node.ignored)
  assert.ok(pressed.length >= least, `${pressed.length} are there`)
  for (const node of pressed) assert.ok(node.name?.value, `a ${node.role.value} has a name`)
}

/** Of the page in light on a desk, and in dark on a phone. */
async function picture(page, context) {
  if (!PICTURES) return
  fs.mkdirSync(PICTURES, { recursive: true })
  const places = [["page", DESK, "light"], ["page-dark", DESK, "dark"], ["page-phone", PHONE, "dark"], ["page-phone-light", PHONE, "light"]]
  for (const [name, size, scheme] of places) {
    await page.call("Emulation.setDeviceMetricsOverride", size)
    await page.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] })
    await page.value("scrollTo(0, 0)")
    const { data } = await page.call("Page.captureScreenshot", { format: "png" })
    fs.writeFileSync(path.join(PICTURES, `${name}.png`), Buffer.from(data, "base64"))
  }
  context.diagnostic(`pictures are in ${PICTURES}`)
}

const WEBVTT = "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n00:00.000 --> 00:20.000\n<i>What</i> is said\n"

test("F118: a guest counts down with the group, shows its subtitles, saves its files, and asks to pause", { skip: skipNative }, async (context) => {
  const { film, native, page } = await aCouple(context, aChromium, 20)
  const folder = path.dirname(film.path)
  const other = `false <b>${"x".repeat(60)}.vtt`
  const files = { "film.vtt": WEBVTT, [other]: "<!doctype html><script>alert(1)</script>", "page.html": "<script>alert(1)</script>" }
  for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), content)
  const press = async (label) => {
    const selector = `button[aria-label=${JSON.stringify(label)}]`
    await page.until(`"${label}" is there`, `document.querySelector(${JSON.stringify(selector)}) !== null`)
    await page.touch(selector)
  }
  const isOn = (label) => page.value(`document.querySelector('button[aria-label=${JSON.stringify(label)}]').getAttribute("aria-pressed")`)

  // Files: all that others wrote is text, and what they are is judged by their bytes.
  for (const name of Object.keys(files)) {
    native.tell(`attach ${path.join(folder, name)}`)
    await native.hear(`attachment added ${name}`)
  }
  await page.until("they are listed", "document.querySelectorAll('#offered li').length === 3")
  assert.equal(await page.value("document.querySelectorAll('#offered b').length"), 0)
  assert.match(await text(page, "#offered"), /film\.vtt\s+\(\d+ bytes, from Cleo\)/)
  assert.equal(await page.value("document.querySelectorAll('#offered button[aria-pressed]').length"), 2, "a page is no file of subtitles")
  await press("Subtitles: film.vtt")
  await page.until("they are shown", "document.querySelector('#film').textTracks[0]?.cues?.length === 1")
  assert.equal(await isOn("Subtitles: film.vtt"), "true")
  assert.equal(await page.value("document.querySelector('#film').textTracks[0].mode"), "showing")
  await press(`Subtitles: ${other}`)
  const isRefused = "/x.vtt. cannot be shown as subtitles: it has no/.test(document.querySelector('#warning').textContent)"
  await page.until("others are refused", isRefused)
  assert.deepEqual([await isOn("Subtitles: film.vtt"), await isOn(`Subtitles: ${other}`)], ["true", "false"])
  await areNamed(page, 12)
  await page.call("Emulation.setDeviceMetricsOverride", PHONE)
  assert.ok(await page.value(fits))
  const saved = path.join(folder, "saved")
  fs.mkdirSync(saved)
  await page.call("Page.setDownloadBehavior", { behavior: "allow", downloadPath: saved })
  await page.choose("#offer", film.path)
  await native.hear("attachment added film.webm")
  await press("Take back: film.webm")
  await native.hear("attachment removed film.webm")
  await press("Save: page.html")
  await until("it is saved", () => fs.existsSync(path.join(saved, "page.html")))
  assert.equal(fs.readFileSync(path.join(saved, "page.html"), "utf8"), files["page.html"])
  fs.writeFileSync(path.join(folder, "large.bin"), Buffer.alloc(6_000_000))
  native.tell(`attach ${path.join(folder, "large.bin")}`)
  await press("Save: large.bin")
  await page.until("it is on its way", "/large.bin\\s+\\(6 MB, from Cleo, [1-9]\\d? % here/.test(document.querySelector('#offered').innerText)")
  await press("Stop: large.bin")
  await page.until("it was stopped", "document.querySelector('[aria-label=\"Save: large.bin\"]') !== null")
  assert.equal(await page.value("document.querySelector('#warning').hidden"), true)
  native.tell("detach large.bin")
  await native.hear("attachment removed large.bin")
  // Who is in the list by the keyboard stays there when it changes.
  await page.value("document.querySelector('[aria-label=\"Save: film.vtt\"]').focus()")
  native.tell(`detach ${other}`)
  await native.hear("attachment removed false")
  await page.until("it is gone", "document.querySelectorAll('#offered li').length === 2")
  assert.equal(await page.value("document.activeElement.getAttribute('aria-label')"), "Save: film.vtt")

  // A start, whatever this device takes the time of day to be. Who has played in step knows group time.
  native.tell("play")
  await page.until("the film runs", runs)
  native.tell("pause")
  await page.until("the film stands", stands)
  await page.fill("#at", "20:15")
  await page.value("document.querySelector('#schedule').requestSubmit()")
  await native.hear("schedule set")
  await page.until("it is said for when", "/^Scheduled by you, for .*15.* by your clock/.test(document.querySelector('#scheduled-facts').innerText)")
  await page.touch("#call-off")
  await native.hear("schedule canceled")
  await page.value("Date.now = () => 0")
  const before = performance.now()
  native.tell("at 192.5")
  await native.hear("schedule set")
  await page.until("the countdown is shown", "!document.querySelector('#scheduled').hidden")
  const shown = /^Begins in 3 min(?: (\d+) s)?$/.exec(await text(page, "#countdown"))
  assert.ok(shown, await text(page, "#countdown"))
  const left = 180 + Number(shown[1] ?? 0)
  assert.ok(left <= 193 && left > 191 - (performance.now() - before) / 1000, `${left} s are left`)
  await page.until("it goes on", `document.querySelector('#countdown').innerText !== ${JSON.stringify(shown[0])}`)
  assert.match(await text(page, "#news"), /Cleo scheduled a start/)
  await page.value("session.say('The popcorn is ready')")
  native.tell("say One minute!")
  await page.until("it is read", "document.querySelectorAll('#chat div').length === 2")
  await picture(page, context)
  await page.touch("#call-off")
  await native.hear("schedule canceled")
  await page.until("it is gone", "document.querySelector('#scheduled').hidden")
  native.tell("at 3.5")
  await page.until("the last seconds are counted", "/^Begins in [1-3] s$/.test(document.querySelector('#countdown').textContent)")
  await page.until("the film runs", "!document.querySelector('#film').paused")
  assert.ok(await page.value("document.querySelector('#scheduled').hidden"))

  native.tell("hosts-only")
  await page.until("the guest can ask", "document.querySelector('#play').textContent === 'Ask to pause'")
  await page.touch("#play")
  await native.hear("request pause open")
  assert.deepEqual([await text(page, "#play"), await text(page, "#news")], ["Asking …", "You ask to pause …"])
  native.tell("decline")
  await page.until("no is said", "/the answer is no/.test(document.querySelector('#news').textContent)")
  assert.equal(await page.value(stands), false)
  // One in a second.
  await page.until("it asks again", `(document.querySelector('#play').textContent === 'Ask to pause' && document.querySelector('#play').click(),
    document.querySelector('#play').textContent === 'Asking …')`)
  await native.hear("request pause open")
  native.tell("grant")
  await page.until("the film stands", stands)
  await page.until("yes is said", "/it is done/.test(document.querySelector('#news').textContent)")
  assert.deepEqual(page.lines, [], "the page's console has nothing to say")
})

test("F124, F125: a guest asks to go elsewhere, and subtitles follow its cut of the film", { skip: skipNative }, async (context) => {
  const { film, native, page } = await aCouple(context, aChromium, 20)
  await page.value("session.addEntry({ item: 'film' })")
  await page.until("it is an entry", "session.playlist.entries.length === 1")
  await page.value("session.selectEntry(session.playlist.entries[0].id)")
  await native.hear("entry film")

  // Of an old file, by somebody whose copy is another cut as well.
  const subtitles = path.join(path.dirname(film.path), "film.srt")
  fs.writeFileSync(subtitles, "1\n00:00:04,000 --> 00:00:06,000\nl\u2019\u00e9t\u00e9\n".replace("\u2019", "\x92"), "latin1")
  native.tell("cut 2")
  await page.until("it is said", "session.participants.some((each) => !each.isLocal && each.cutOffset === 2)")
  native.tell(`attach ${subtitles}`)
  await page.until("they are listed", "document.querySelector('#offered [aria-pressed]') !== null")
  await page.touch("#offered [aria-pressed]")
  const cueIsAt = (place) => page.until(`the cue is at ${place} s`, `(() => {
    const [cue] = document.querySelector("#film").textTracks[0]?.cues ?? []
    return cue?.text === "l\u2019\u00e9t\u00e9" && cue.startTime === ${place}
  })()`)
  await cueIsAt(2)
  await page.until("the guess is said", "/are shown\\. .* windows-1252 is a guess\\.$/.test(document.querySelector('#news').textContent)")
  await page.value("(document.querySelector('#cut').value = 5, document.querySelector('#cut').dispatchEvent(new Event('change')))")
  await cueIsAt(7)
  assert.equal(await page.value("document.querySelector('#film').textTracks.length"), 1)
  await page.until("the film stands where the group is, in this cut", "Math.abs(document.querySelector('#film').currentTime - 5) < 0.1")

  native.tell("hosts-only")
  await page.until("it can ask", "document.querySelector('#forward').textContent === 'Ask for +10 s'")
  await areNamed(page, 12)
  const place = () => page.value("Number(document.querySelector('#place').value)")
  await choosePlace(page, 12)
  await page.value("document.querySelector('#wish-drop').focus()")
  assert.equal(await place(), 12, "the slider stands at what is wished")
  await page.touch("#wish-drop")
  assert.ok(await place() < 12)
  assert.deepEqual(await page.value("[document.querySelector('#wish').hidden, document.activeElement.id]"), [true, "place"])
  await choosePlace(page, 10)
  await asks(page, "#wish-ask", "Ask to go to 0:10")
  assert.equal(await native.hear("request seek open"), "request seek open 7 s ", "of the own copy")
  assert.equal(await text(page, "#news"), "You ask to go to 0:10 \u2026")
  native.tell("decline")
  await page.until("no is said", "/the answer is no/.test(document.querySelector('#news').textContent)")
  assert.ok(await page.value("document.querySelector('#wish').hidden && Math.abs(document.querySelector('#film').currentTime - 5) < 0.1"))
  await asks(page, "#forward", "Ask for +10 s")
  assert.equal(await native.hear("request seek open"), "request seek open 12 s ")
  native.tell("grant")
  await page.until("the film is there", "Math.abs(document.querySelector('#film').currentTime - 15) < 0.1")
  await page.until("yes is said", "/it is done/.test(document.querySelector('#news').textContent)")
  assert.deepEqual(page.lines, [], "the page's console has nothing to say")
})

test("F132: the page takes jumps back, and goes on without who is not ready, by keyboard", { skip: skipNative }, async (context) => {
  const { native, page } = await aCouple(context, aChromium, 60)
  const isAt = (place) => page.until(`the film is at ${place} s`, `Math.abs(document.querySelector('#film').currentTime - ${place}) < 0.1`)
  const focus = (selector) => page.value(`document.querySelector(${JSON.stringify(selector)}).focus()`)
  const focused = () => page.value("document.activeElement.id")
  /** What a screen reader calls the focused element. */
  const named = async () => {
    const { nodes } = await page.call("Accessibility.getFullAXTree")
    const { role, name } = nodes.find((node) => node.properties?.some((each) => each.name === "focused" && each.value.value) &&
      node.role.value !== "RootWebArea")
    return `${role.value} ${name.value}`
  }
  await page.value("(document.querySelector('#allow').click(), 0)", { isTouch: true })
  assert.ok(await page.value("document.querySelector('#undo').hidden"), "nobody jumped yet")

  native.tell("seek 10")
  await isAt(10)
  await page.until("it can be taken back", "!document.querySelector('#undo').hidden")
  await focus("#undo")
  assert.equal(await named(), "button Undo the jump")
  await page.press(" ")
  await isAt(0)
  await page.value("document.activeElement.blur()")
  await page.press("z", { isWithControl: true })
  await isAt(10)
  native.tell("undo")
  await isAt(0)
  await page.until("who did it is said", "document.querySelector('#deeds').textContent === 'Cleo sought to 0:00'")

  native.tell("start-policy WHEN_READY 60 PAUSE")
  await page.until("the policy is said", "document.querySelector('#policy').textContent !== ''")
  assert.equal(await text(page, "#policy"), "A start waits until all are ready, for 1 min at most. When somebody leaves, the film pauses.")
  await page.touch("#play")
  await page.until("who is waited for is said", "document.querySelector('#waiting').textContent === 'Cleo is not ready yet.'")
  assert.deepEqual([await text(page, "#without"), await page.value(stands)], ["Go on without Cleo", true])
  await page.call("Emulation.setDeviceMetricsOverride", PHONE)
  assert.ok(await page.value(fits))
  await areNamed(page, 12)
  await focus("#without button")
  assert.equal(await named(), "button Go on without Cleo")
  await page.press(" ")
  await native.hear("playing")
  await page.until("the film runs", runs)
  await page.until("nobody is waited for", "document.querySelector('#without').childElementCount === 0")
  assert.equal(await focused(), "play", "who was at the button is at what is near it")

  await page.touch("#ready")
  await native.hear("word Ben ready")
  await focus("#undo")
  native.tell("hosts-only")
  await page.until("who may not command takes nothing back", "document.querySelector('#undo').hidden")
  assert.equal(await focused(), "place")
  native.tell("leave")
  await page.until("the film stands, as somebody left", stands)
  assert.equal(await page.value("session.timing.cause"), "left")
  assert.ok(await page.value("document.querySelector('#ready').checked"))
  await page.value("session.player.load({ item: 'another film', address: document.querySelector('#film').src })")
  await page.until("that was said of the film before", "!document.querySelector('#ready').checked")
  assert.deepEqual(page.lines, [], "the page's console has nothing to say")
})

test("F120: while its hub is gone the page says so and plays on, and is in step when the hub is back", { skip: skipNative }, async (context) => {
  const couple = await aCouple(context, aChromium, 60, (film) => ["--key", path.join(path.dirname(film.path), "hub.key")])
  const { native, page } = couple
  await page.touch("#play")
  await native.hear("playing")
  await page.until("the film runs", runs)

  const { line } = couple.hub
  await couple.hub.end("SIGKILL")
  const isLost = "/^The connection is lost .*trying again. The film plays on.$/.test(document.querySelector('#status').textContent)"
  await page.until("the loss is said", isLost)
  const { place } = await position(page)
  await page.until("the film plays on", `document.querySelector('#film').currentTime > ${place + 1}`)
  assert.ok(await page.value(isLost))
  assert.equal(await text(page, "#wanted"), "You have \"film\".")

  couple.hub = await aHub(...couple.hubOptions, "--listen", /\/\/([^/]+)\//.exec(line)[1])
  await page.until("it is back", "document.querySelector('#status').textContent === 'You are in the session.'")
  await page.until("both are here", "session.participants.filter((each) => each.connection === 'connected').length === 2")
  assert.equal(await page.value(stands), false)
  const skew = async () => {
    native.tell("where")
    const [, theirs, time] = (await native.hear("at ")).split(" ").map(Number)
    const here = await position(page)
    return here.place - (theirs / 1e9 + (here.time - time / 1e6) / 1000)
  }
  let last
  await until("both are in step", async () => Math.abs(last = await skew()) < 0.020, { describe: () => last })
  context.diagnostic(`skew to the native one, back at the hub: ${(last * 1000).toFixed(1)} ms`)

  // It comes to another network, and does not wait until the connection by the one before was silent for long.
  await page.value(`(globalThis.told = [], session.addEventListener("state", ({ detail }) => told.push(detail.connection)),
    dispatchEvent(new Event("offline")), 0)`)
  await page.until("it connects anew", "told.includes('reconnecting') && told.at(-1) === 'connected'")
  native.tell("pause")
  await page.until("the film stands", stands)
  assert.deepEqual(page.lines.filter((line) => !line.includes("WebSocket")), [], "the page's console has nothing else to say")
})

test("F110: a guest in Firefox joins by the page's link, and plays, pauses and asks with a native host", { skip: skipFirefox }, async (context) => {
  const { film, native, page } = await aCouple(context, aFirefox, 20)
  assert.match(await text(page, "#who"), /Cleo/)

  await page.touch("#play")
  await native.hear("playing")
  await page.until("the film runs", runs)
  native.tell("pause")
  await native.hear("paused")
  await page.until("the film stands", stands)
  await page.until("it is shown that it stands", "document.querySelector('#play').textContent === 'Play'")

  native.tell("seek 10")
  await page.until("the film is there", "Math.abs(document.querySelector('#film').currentTime - 10) < 0.1")
  native.tell("play")
  await native.hear("playing")
  await page.until("the film goes on", "!document.querySelector('#film').paused && document.querySelector('#film').currentTime > 10.2")
  await page.until("how far it is in step is said", "/^In step within \\d+ ms$/.test(document.querySelector('#step').textContent)")
  const { skewP95, startLatency } = await page.value("session.player.statistics()")
  context.diagnostic(`a start takes ${(startLatency * 1000).toFixed(1)} ms; skew by its own account p95 ${(skewP95 * 1000).toFixed(1)} ms`)
  await page.touch("#play")
  await native.hear("paused")
  await page.until("the film stands", stands)

  const subtitles = path.join(path.dirname(film.path), "film.vtt")
  fs.writeFileSync(subtitles, WEBVTT)
  native.tell(`attach ${subtitles}`)
  await page.until("they are listed", "document.querySelector('#offered [aria-pressed]') !== null")
  await page.touch("#offered [aria-pressed]")
  await page.until("subtitles are shown", "document.querySelector('#film').textTracks[0]?.cues?.length === 1")

  native.tell(`copy ${film.path}`)
  const { size, hash } = await page.value("session.copyOf(document.querySelector('#file').files[0])")
  assert.equal(await native.hear("hash "), `hash ${size} ${hash}`)

  native.tell("hosts-only")
  await page.until("the guest can ask", "document.querySelector('#play').textContent === 'Ask to play'")
  await page.touch("#play")
  await native.hear("request play open")
  native.tell("grant")
  await native.hear("playing")
  await page.until("the film goes on once more", "!document.querySelector('#film').paused")
  assert.deepEqual(page.lines, [], "the page's console has nothing to say")
})
