// The page of a guest, or of who begins a session at a hub: a film in step, who is here, and what they say.
//
// SPDX-License-Identifier: Apache-2.0

import { Session } from "../unisono.js"

const byId = (id) => document.getElementById(id)
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

let session
let player
/** What is loaded here: the group's item, and where it is. */
let loaded = null
/** The chosen file's address; it is let go of with the next. */
let chosen = null
/** The slider is being moved. */
let isChoosing = false

/** An identifier as people may see it: it is compared as it is, and others wrote it. */
const plain = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD")
const nameOf = (participant) => participant.displayName || "Somebody"
const say = (text) => { byId("status").textContent = text }

/** 1:02:03. */
function shown(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const used = parts[0] > 0 ? parts : parts.slice(1)
  return used.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":")
}

/** Does what was asked for, or says why not. */
async function attempt(act) {
  try {
    await act()
  } catch (error) {
    warn(error.message)
  }
}

function warn(text) {
  byId("warning").textContent = text
  byId("warning").hidden = text === ""
}

// Coming in

function invited() {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ""
  }
}

function begin() {
  const invite = invited()
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
      const invite = invited()
      session = await (invite ? Session.open(invite, { name }) : Session.host({ name, hub: byId("hub").value }))
      globalThis.session = session
      listen()
      await session.join()
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
  for (const name of ["participants", "rights", "timing", "playlist", "activity"]) session.addEventListener(name, showGroup)
  session.addEventListener("state", showState)
  session.addEventListener("chat", showChat)
  session.addEventListener("refused", ({ detail }) => warn(detail.message))
  session.addEventListener("warning", ({ detail }) => warn(detail.isOver ? "" : detail.message))
  session.addEventListener("person", ({ detail }) => {
    if (detail.kind === "joined") say(`${detail.name} came`)
    if (detail.kind === "left") say(`${detail.name} is gone`)
  })
  showState()
}

function showState() {
  const { status, connection, message } = session.state
  if (status === "invalidated") {
    say(message)
    byId("room").hidden = byId("people").hidden = true
  } else if (connection === "reconnecting") {
    say(`The connection is lost; trying again. ${message}`)
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
  const other = session.participants.find((each) => !each.isLocal && each.connection === "connected" && each.item !== null)
  return other ? { item: other.item, title: plain(other.item), addresses: [] } : null
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
  for (const id of ["play", "back", "forward", "place"]) byId(id).disabled = !session.mayCommand || !loaded
  byId("title").textContent = session.activity?.title || groupItem()?.title || "Watch together"
  showCopy()
}

function showCopy() {
  const wanted = groupItem()
  if (wanted && loaded && wanted.item !== loaded.item) {
    loaded = null
    attempt(() => player.clear())
  }
  byId("wanted").textContent = !wanted ? "Nobody has chosen a film yet: yours begins."
    : loaded ? `You have "${wanted.title}".` : `The group watches "${wanted.title}". Choose your copy.`
  // An address is what somebody else says: it is shown, and loaded only by who chooses it.
  const offered = (wanted?.addresses ?? []).filter((each) => /^https?:/i.test(each) && each !== loaded?.address)
  byId("addresses").replaceChildren(...offered.map((address) => {
    const button = document.createElement("button")
    button.textContent = `Load it from ${new URL(address).host}`
    button.title = address
    button.onclick = () => attempt(() => load(wanted.item, address))
    return button
  }))
}

async function load(item, address) {
  loaded = { item, address }
  if (player.needsGesture) await player.allow()
  await player.load({ item, address })
  showGroup()
}

byId("file").addEventListener("change", () => attempt(async () => {
  const [file] = byId("file").files
  if (!file) return
  if (chosen) URL.revokeObjectURL(chosen)
  chosen = URL.createObjectURL(file)
  await load(groupItem()?.item ?? file.name, chosen)
  byId("play").focus()
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
  setInterval(showStep, 1000)
}

function showPlayer() {
  const isOn = player.timeControl !== "paused"
  byId("play").textContent = isOn ? "Pause" : "Play"
  if (player.timeControl === "waiting") say("Waiting …")
  else showState()
}

function showTime() {
  const place = byId("place")
  place.max = Number.isFinite(film.duration) ? Math.floor(film.duration) : 0
  if (!isChoosing) place.value = Math.floor(film.currentTime)
  const text = `${shown(film.currentTime)} of ${shown(film.duration || 0)}`
  place.setAttribute("aria-valuetext", text)
  byId("time").textContent = text
}

async function showStep() {
  if (session.state.status === "invalidated" || !loaded) return
  const { skewLast } = await player.statistics().catch(() => ({ skewLast: null }))
  byId("step").textContent = skewLast === null || film.paused ? "" : `In step within ${Math.ceil(Math.abs(skewLast) * 1000)} ms`
}

const toggle = () => attempt(async () => {
  await player.allow()
  await (player.timeControl === "paused" ? player.play() : player.pause())
})
const skip = (by) => attempt(() => player.seek(Math.max(0, film.currentTime + by)))

film.addEventListener("timeupdate", showTime)
film.addEventListener("durationchange", showTime)
film.addEventListener("click", () => { if (loaded && session.mayCommand) toggle() })
byId("allow").onclick = () => attempt(() => player.allow())
byId("play").onclick = toggle
byId("back").onclick = () => skip(-SKIP)
byId("forward").onclick = () => skip(SKIP)
byId("place").addEventListener("input", () => { isChoosing = true })
byId("place").addEventListener("change", () => attempt(() => {
  isChoosing = false
  return player.seek(Number(byId("place").value))
}))
byId("volume").addEventListener("input", () => attempt(() => player.setVolume(Number(byId("volume").value))))

document.addEventListener("keydown", (event) => {
  if (!player || !loaded || !session.mayCommand || event.ctrlKey || event.altKey || event.metaKey) return
  // What has keys of its own keeps them.
  if (event.target.closest("input, button, a, [role=log]")) return
  const act = { " ": toggle, ArrowLeft: () => skip(-SKIP), ArrowRight: () => skip(SKIP) }[event.key]
  if (!act) return
  event.preventDefault()
  act()
})

// The others

function showChat({ detail }) {
  const line = document.createElement("div")
  line.textContent = `${detail.isOwn ? "You" : detail.name ?? "Somebody"}: ${detail.text}`
  byId("chat").append(line)
  byId("chat").scrollTop = byId("chat").scrollHeight
}

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
  say("The link is a secret: whoever has it can join.")
})
byId("leave").onclick = () => attempt(async () => {
  await session.close()
  byId("room").hidden = byId("people").hidden = true
  say("You left.")
})
addEventListener("pagehide", () => { session?.close() })

begin()
