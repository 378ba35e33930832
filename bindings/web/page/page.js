// The page of a guest, or of who begins a session at a hub: a film in step, who is here, and what they say.
//
// SPDX-License-Identifier: Apache-2.0

import { Session } from "../unisono.js"
import { AttachmentList } from "./attachments.js"
import { Countdown } from "./countdown.js"
import { addressIn, buttonsFor, filmsHere, loadable } from "./films.js"
import { announce, attempt, behindHash, byId, say, warn } from "./telling.js"
import { deed, nextTime, place, plain, policy } from "./words.js"

const film = byId("film")
/** How far the arrow keys and the buttons go, s. */
const SKIP = 10
/** What keeps others waiting, and takes a player out, in words. */
const REASONS = {
  "": "is getting the film ready", "not-ready": "is not ready yet", "user-action-required": "has to tap the page first",
  "stall-recovery": "is waiting for data", "coordinated-playback-not-possible": "cannot play this",
  "audio-session-interrupted": "was interrupted", "playing-interstitial": "is watching something else",
  "user-is-changing-current-time": "is looking for a place", replaying: "is hearing something again",
}
const reason = (word) => REASONS[word] ?? word
/** What brought the group to another place: that can be taken back. */
const JUMPS = ["seek", "range"]
/** Lines of the chat that are shown. */
const LINES = 200

let session
let player
let attachments
/** What is loaded here: the group's item, and where it is. */
let loaded = null
/** The chosen file's address; it is let go of with the next. */
let chosen = null
/** Where who serves this page, a hub, has films, by their names; null: it has none. */
let films = null
/** The item that was looked for there last. */
let lookedFor = null
/** Of which item which addresses are offered. */
let shownAddresses = ""
/** The own item, as was said last, and whether the group has jumped on it since. */
let jumps = { item: null, isOne: false }
/** Without whom the group can go on, as is shown. */
let shownUnready = ""
/** The slider is being moved. */
let isChoosing = false
/** Where who may not command would like to go, s; null: nowhere. Until that is asked, or dropped, the slider stands there. */
let wish = null
/** An answer is waited for. */
let isAsking = false

const nameOf = (participant) => participant?.displayName || "Somebody"
const nameOfID = (id) => nameOf(session.participants.find((each) => each.id === id))
// Coming in

function begin() {
  const invite = behindHash()
  byId("hub-label").hidden = invite !== ""
  byId("hub").required = invite === ""
  byId("enter").textContent = invite ? "Join" : "Begin a session"
  byId("name").value = localStorage.getItem("unisono.name") ?? ""
  byId("entry").hidden = false
  say(invite ? "You are invited to watch together." : "Begin a session at a hub, and pass its link on.")
  byId("name").focus()
}

byId("entry").addEventListener("submit", (event) => {
  event.preventDefault()
  attempt(async () => {
    warn("")
    byId("enter").disabled = true
    try {
      const name = byId("name").value.trim()
      localStorage.setItem("unisono.name", name)
      say("Connecting …")
      const invite = behindHash()
      session = await (invite ? Session.open(invite, { name }) : Session.host({ name, hub: byId("hub").value }))
      globalThis.session = session
      listen()
      await session.join()
      films = await filmsHere()
      player = await session.attach(film)
      listenToPlayer()
      byId("entry").hidden = true
      byId("room").hidden = byId("people").hidden = false
      showGroup()
      byId("file").focus()
    } catch (error) {
      await session?.close()
      session = undefined
      say("You are not in the session.")
      throw error
    } finally {
      byId("enter").disabled = false
    }
  })
})

// What the group does

function listen() {
  session.addEventListener("timing", noticeJump)
  for (const name of ["participants", "rights", "settings", "timing", "playlist", "activity", "schedule"]) {
    session.addEventListener(name, showGroup)
  }
  session.addEventListener("state", showState)
  session.addEventListener("chat", showChat)
  session.addEventListener("reaction", showReaction)
  session.addEventListener("refused", ({ detail }) => warn(detail.message))
  session.addEventListener("warning", showDoubt)
  session.addEventListener("request", showRequest)
  // In a line of their own: who asked something reads the answer as well.
  session.addEventListener("notice", ({ detail }) => {
    const told = deed(detail, detail.originator === session.local ? "you" : nameOfID(detail.originator))
    if (told) announce(told, "deeds")
  })
  session.addEventListener("copy", ({ detail }) => { if (detail.differs.length > 0) announce(detail.message) })
  session.addEventListener("person", ({ detail }) => {
    if (detail.kind === "joined") announce(`${detail.name} came`)
    if (detail.kind === "left") announce(`${detail.name} is gone`)
  })
  attachments = new AttachmentList(session, { list: byId("offered"), film, input: byId("offer") }, {
    announce, warn, ownerName: (id) => (id === session.local ? "you" : nameOfID(id)),
  })
  new Countdown(session, {
    section: byId("scheduled"), time: byId("countdown"), facts: byId("scheduled-facts"), callOff: byId("call-off"),
  }, { announce, nameOf: nameOfID })
  showState()
}

/** Clocks, hubs or people that should not be trusted: that stands until it is over, whatever else goes wrong or right meanwhile. */
function showDoubt({ detail }) {
  byId(`doubt-${detail.kind}`)?.remove()
  if (detail.isOver) return
  const line = document.createElement("p")
  line.id = `doubt-${detail.kind}`
  line.textContent = detail.message
  byId("doubts").append(line)
}

function showState() {
  const { status, connection, message } = session.state
  if (status === "invalidated") {
    say(message)
    byId("room").hidden = byId("people").hidden = true
  } else if (connection === "reconnecting") {
    const why = message ? ` (${message})` : ""
    say(`The connection is lost${why}; trying again.${player?.timeControl === "playing" ? " The film plays on." : ""}`)
  } else if (player?.timeControl === "waiting") {
    say("Waiting …")
  } else if (status === "joined") {
    say(session.state.isAlone ? "You are in the session; nobody else is here yet." : "You are in the session.")
  } else {
    say(message || "Connecting …")
  }
}

/** What the group is at: what the playlist says, or the others have. */
function groupItem() {
  const entry = session.playlist.entries.find((each) => each.id === session.playlist.current)
  if (entry) return { item: entry.item, title: entry.title || plain(entry.item), addresses: entry.addresses }
  // Without a connection nobody is in touch, and what they watched last is what is known.
  const others = session.participants.filter((each) => !each.isLocal && each.item !== null)
  const other = others.find((each) => each.connection === "connected") ?? others[0]
  // Who has nothing yet may be here for a start that is to come.
  const item = other?.item ?? (loaded ? null : session.scheduledStart?.item ?? null)
  return item === null ? null : { item, title: plain(item), addresses: [] }
}

function showGroup() {
  if (!player) return
  byId("who").replaceChildren(...session.participants.map((each) => {
    const line = document.createElement("li")
    const facts = [each.isLocal ? "you" : "", each.role === "owner" ? "owner" : "", each.isSpeaking ? "speaks" : ""]
    if (each.connection !== "connected") facts.push(each.connection)
    for (const word of each.suspensionReasons) facts.push(reason(word))
    if (each.word === "ready") facts.push("ready")
    const said = facts.filter(Boolean).join(", ")
    line.textContent = said ? `${nameOf(each)} (${said})` : nameOf(each)
    return line
  }))
  const { waitingFor, status } = session.timing
  byId("waiting").textContent = status !== "waiting" ? "" : waitingFor.map(({ participant, reason: word }) => {
    const one = session.participants.find((each) => each.id === participant)
    return one ? `${one.isLocal ? "Your device" : nameOf(one)} ${reason(word)}.` : ""
  }).join(" ")
  showUnready(status === "waiting" && session.mayCommand ? waitingFor : [])
  byId("policy").textContent = policy(session.startPolicy)
  // What its person said is over once it comes to another film.
  byId("ready").checked = session.participants.find((each) => each.isLocal)?.word === "ready"
  byId("schedule").hidden = !session.mayCommand || !loaded
  showPlay()
  showPlaces()
  byId("title").textContent = session.activity?.title || groupItem()?.title || "Watch together"
  showCopy()
}

/** A button for each person whom a start waits for, and could go on without. */
function showUnready(waitingFor) {
  const unready = waitingFor.filter(({ participant, reason: word }) => word === "not-ready" && participant !== session.local)
  // The same buttons stay: somebody may be at one of them with the keyboard.
  const shown = JSON.stringify(unready.map(({ participant }) => [participant, nameOfID(participant)]))
  if (shown === shownUnready) return
  shownUnready = shown
  const at = byId("without").contains(document.activeElement) ? document.activeElement.value : null
  byId("without").replaceChildren(...unready.map(({ participant }) => {
    const button = document.createElement("button")
    button.value = participant
    button.textContent = `Go on without ${nameOfID(participant)}`
    button.onclick = () => attempt(() => session.startWithout([participant]))
    return button
  }))
  if (at === null) return
  const same = [...byId("without").children].find((button) => button.value === at)
  ;(same ?? byId("without").firstElementChild ?? byId("play")).focus()
}

/** Loads what the group watches from where this page is from, if it is there: that server is trusted already. */
async function lookFor(item) {
  lookedFor = item
  const address = await addressIn(films, item)
  if (address === null || loaded || groupItem()?.item !== item) return
  loaded = { item, address }
  await player.load(loaded)
  showGroup()
}

function showCopy() {
  const wanted = groupItem()
  if (wanted && loaded && wanted.item !== loaded.item) {
    loaded = null
    attachments.hideSubtitles()
    attempt(() => player.clear())
  }
  showCut()
  byId("wanted").textContent = !wanted ? "Nobody has chosen a film yet: yours begins."
    : loaded ? `You have "${wanted.title}".` : `The group watches "${wanted.title}". Choose your copy.`
  if (wanted && !loaded && wanted.item !== lookedFor) attempt(() => lookFor(wanted.item))
  const offered = loadable(wanted?.addresses ?? []).filter((each) => each !== loaded?.address)
  // The same buttons stay: somebody may be at one of them with the keyboard.
  const shown = JSON.stringify([wanted?.item, ...offered])
  if (shown === shownAddresses) return
  shownAddresses = shown
  byId("addresses").replaceChildren(...buttonsFor(offered, (address) => attempt(() => load(wanted.item, address))))
}

/** It is said of an entry of the playlist; who has the field in hand is not written over. */
function showCut() {
  const { current } = session.playlist
  byId("cut-label").hidden = current === null || !loaded
  if (document.activeElement === byId("cut")) return
  byId("cut").value = session.participants.find((each) => each.isLocal)?.cutOffset ?? 0
}

byId("cut").addEventListener("change", () => attempt(async () => {
  warn("")
  await session.setCutOffset(byId("cut").valueAsNumber || 0)
}))

async function load(item, address) {
  loaded = { item, address }
  await player.load({ item, address })
  showGroup()
  if (player.needsGesture) await player.allow()
}

byId("file").addEventListener("change", () => attempt(async () => {
  const [file] = byId("file").files
  if (!file) return
  if (chosen) URL.revokeObjectURL(chosen)
  chosen = URL.createObjectURL(file)
  await load(groupItem()?.item ?? file.name, chosen)
  byId("play").focus()
  const entry = session.playlist.entries.find((each) => each.item === loaded.item)
  if (entry) await session.setCopy(entry.id, await session.copyOf(file))
}))

// The film

function listenToPlayer() {
  player.addEventListener("time-control", showPlayer)
  player.addEventListener("item-state", ({ detail }) => {
    if (detail.itemState === "failed") warn("This browser cannot play that file; choose another copy.")
    if (detail.itemState === "ready") warn("")
  })
  player.addEventListener("gesture", ({ detail }) => {
    byId("gesture").hidden = !detail.isNeeded
    if (detail.isNeeded) byId("allow").focus()
  })
  byId("gesture").hidden = !player.needsGesture
  listenToKeys()
  setInterval(showStep, 1000)
}

/** Keys of keyboards and headsets, and a phone's lock screen: all do it, or are asked; else it would be done to the film here alone. */
function listenToKeys() {
  const keys = navigator.mediaSession
  if (!keys) return
  const turn = (isOn) => { if (loaded && (player.timeControl !== "paused") !== isOn) toggle() }
  const acts = {
    play: () => turn(true), pause: () => turn(false), seekbackward: () => skip(-SKIP), seekforward: () => skip(SKIP),
    seekto: ({ seekTime }) => attempt(() => go(seekTime)),
  }
  for (const [name, act] of Object.entries(acts)) {
    try {
      keys.setActionHandler(name, act)
    } catch {
      // One that this browser does not know.
    }
  }
}

/** Who may not command asks those who may. */
function showPlay() {
  const isOn = player.timeControl !== "paused"
  const words = session.mayCommand ? ["Play", "Pause"] : ["Ask to play", "Ask to pause"]
  byId("play").textContent = isAsking ? "Asking …" : words[isOn ? 1 : 0]
  // Not disabled while it asks: that would take the focus away.
  byId("play").setAttribute("aria-disabled", String(isAsking))
  byId("play").disabled = !loaded
}

/** What somebody did on this item can be taken back; what was done before this device came to it cannot. */
function noticeJump({ detail: { item, cause } }) {
  jumps = { item, isOne: item === jumps.item && (jumps.isOne || JUMPS.includes(cause)) }
}

function showUndo() {
  const isThere = session.mayCommand && loaded !== null && jumps.isOne
  // Who is at it with the keyboard stays near it.
  if (!isThere && document.activeElement === byId("undo")) byId("place").focus()
  byId("undo").hidden = !isThere
}

/** What leads to another place of the film; who may not command asks for it. */
function showPlaces() {
  byId("place").disabled = !loaded
  showUndo()
  for (const [id, text, way] of [["back", `\u2212${SKIP} s`, "back"], ["forward", `+${SKIP} s`, "forward"]]) {
    byId(id).textContent = session.mayCommand ? text : `Ask for ${text}`
    const named = `${way} ${SKIP} seconds`
    byId(id).setAttribute("aria-label", session.mayCommand ? named[0].toUpperCase() + named.slice(1) : `Ask to go ${named}`)
    byId(id).disabled = !loaded
  }
  if (session.mayCommand || !loaded) wish = null
  // Who is at one of its buttons with the keyboard stays near them.
  if (wish === null && byId("wish").contains(document.activeElement)) byId("place").focus()
  byId("wish").hidden = wish === null
  if (wish !== null) byId("wish-ask").textContent = `Ask ${askedFor("seek", wish)}`
  for (const id of ["back", "forward", "wish-ask"]) byId(id).setAttribute("aria-disabled", String(isAsking))
  showTime()
}

/** What is asked for, in words; `itemTime`: of a seek. */
const askedFor = (kind, itemTime) => ({ pause: "to pause", play: "to play", seek: `to go to ${place(itemTime)}` })[kind]

/** Somebody asks; the line goes with the answer, whoever gives it. */
function showRequest({ detail }) {
  const id = `request-${detail.asker}-${detail.number}`
  byId(id)?.remove()
  if (detail.status !== "open") return
  const line = document.createElement("p")
  line.id = id
  const asked = `${nameOfID(detail.asker)} asks ${askedFor(detail.kind, detail.itemTime)}${detail.text ? `: ${detail.text}` : ""}`
  line.append(asked, " ")
  announce(asked)
  for (const [word, isGranted] of [["Yes", true], ["No", false]]) {
    const button = document.createElement("button")
    button.textContent = word
    button.setAttribute("aria-label", `${word}: ${asked}`)
    button.onclick = () => attempt(async () => {
      line.remove()
      await session.answer(detail, isGranted)
    })
    line.append(button, " ")
  }
  byId("requests").append(line)
}

const ANSWERS = { granted: "You asked, and it is done.", declined: "You asked; the answer is no.", unanswered: "You asked; nobody answered." }

function showPlayer() {
  showPlay()
  showState()
}

function showTime() {
  const slider = byId("place")
  slider.max = Number.isFinite(film.duration) ? Math.floor(film.duration) : 0
  if (!isChoosing && wish === null) slider.value = Math.floor(film.currentTime)
  const whole = place(film.duration || 0)
  slider.setAttribute("aria-valuetext", `${place(wish ?? film.currentTime)} of ${whole}`)
  byId("time").textContent = `${place(film.currentTime)} of ${whole}`
}

async function showStep() {
  if (session.state.status === "invalidated" || !loaded) return
  const { skewLast } = await player.statistics().catch(() => ({ skewLast: null }))
  byId("step").textContent = skewLast === null || film.paused ? "" : `In step within ${Math.ceil(Math.abs(skewLast) * 1000)} ms`
}

/** One at a time; it is done when somebody has answered, or nobody did for half a minute. */
async function ask(kind, itemTime) {
  if (isAsking) return
  isAsking = true
  showPlay()
  showPlaces()
  announce(`You ask ${askedFor(kind, itemTime)} …`)
  try {
    announce(ANSWERS[await session.ask(kind, { itemTime })])
  } finally {
    isAsking = false
    showPlay()
    showPlaces()
  }
}

/** The group goes there, s, or is asked to. */
async function go(itemTime) {
  if (session.mayCommand) return player.seek(itemTime)
  await player.allow()
  await ask("seek", itemTime)
}

const toggle = () => attempt(async () => {
  await player.allow()
  const isPaused = player.timeControl === "paused"
  if (!session.mayCommand) {
    await ask(isPaused ? "play" : "pause")
  } else {
    await (isPaused ? player.play() : player.pause())
  }
})
const undo = () => attempt(async () => {
  await player.allow()
  await session.undoJump()
})
const skip = (by) => attempt(() => go(Math.max(0, film.currentTime + by)))

film.addEventListener("timeupdate", showTime)
film.addEventListener("durationchange", showTime)
film.addEventListener("click", () => { if (loaded && session.mayCommand) toggle() })
byId("allow").onclick = () => attempt(() => player.allow())
byId("play").onclick = toggle
byId("back").onclick = () => skip(-SKIP)
byId("forward").onclick = () => skip(SKIP)
byId("undo").onclick = undo
byId("place").addEventListener("input", () => { isChoosing = true })
byId("place").addEventListener("change", () => attempt(() => {
  isChoosing = false
  const itemTime = Number(byId("place").value)
  if (session.mayCommand) return go(itemTime)
  // Nobody is asked about each place that a finger or an arrow key comes by.
  wish = itemTime
  showPlaces()
}))
byId("wish-ask").onclick = () => attempt(async () => {
  if (isAsking) return
  const itemTime = wish
  await go(itemTime)
  // Another one may have been chosen meanwhile.
  if (wish === itemTime) wish = null
  showPlaces()
})
byId("wish-drop").onclick = () => {
  wish = null
  showPlaces()
}
byId("volume").addEventListener("input", () => attempt(() => player.setVolume(Number(byId("volume").value))))

document.addEventListener("keydown", (event) => {
  if (!player || !loaded || !session.mayCommand || event.altKey) return
  // What has keys of its own keeps them.
  if (event.target.closest("input, button, a, [role=log]")) return
  const keys = event.ctrlKey || event.metaKey
    ? { z: byId("undo").hidden ? undefined : undo }
    : { " ": toggle, ArrowLeft: () => skip(-SKIP), ArrowRight: () => skip(SKIP) }
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

// The others

function showChat({ detail }) {
  showLine(`${detail.isOwn ? "You" : detail.name ?? "Somebody"}: ${detail.text}`)
}

/** It stands with what was said, and is gone with the page: nobody keeps it. */
function showReaction({ detail }) {
  const at = detail.itemTime === null ? "" : ` at ${place(detail.itemTime)}`
  showLine(`${detail.isOwn ? "You react" : `${detail.name ?? "Somebody"} reacts`}${at}: ${detail.text}`)
}

function showLine(text) {
  const line = document.createElement("div")
  line.textContent = text
  byId("chat").append(line)
  if (byId("chat").childElementCount > LINES) byId("chat").firstElementChild.remove()
  byId("chat").scrollTop = byId("chat").scrollHeight
}

for (const button of byId("react").children) button.onclick = () => attempt(() => session.react(button.textContent))
byId("say").addEventListener("submit", (event) => {
  event.preventDefault()
  const text = byId("text").value.trim()
  if (text === "") return
  attempt(async () => {
    await session.say(text)
    byId("text").value = ""
  })
})
byId("ready").addEventListener("change", () => attempt(() => session.setReady(byId("ready").checked ? "ready" : "not-ready")))
byId("link").onclick = () => attempt(async () => {
  const link = new URL(`#${encodeURIComponent(session.invite)}`, location.href).href
  // Over plain http browsers have no clipboard: then it is shown, to be copied by hand.
  if (navigator.clipboard) await navigator.clipboard.writeText(link)
  else prompt("The link for others", link)
  announce("The link is a secret: whoever has it can join.")
})
byId("schedule").addEventListener("submit", (event) => {
  event.preventDefault()
  attempt(async () => {
    warn("")
    await session.scheduleStart({ item: loaded.item, at: nextTime(byId("at").value, new Date()) })
    byId("at").value = ""
  })
})
byId("call-off").onclick = () => attempt(() => session.cancelStart())
byId("leave").onclick = () => attempt(async () => {
  await session.close()
  byId("room").hidden = byId("people").hidden = true
  say("You left.")
})
addEventListener("pagehide", () => { session?.close() })

begin()
