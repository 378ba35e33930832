// The page of who listens by a link of an audience: what the group plays, in step with it, and nothing to command.
//
// SPDX-License-Identifier: Apache-2.0

import { Listener } from "../unisono.js"
import { addressIn, buttonsFor, filmsHere, loadable } from "./films.js"
import { announce, attempt, behindHash, byId, say, warn } from "./telling.js"
import { place, plain } from "./words.js"

const film = byId("film")

let listener
let player
/** What is loaded here: the group's item, and where it is. */
let loaded = null
/** The chosen file's address; it is let go of with the next. */
let chosen = null
/** Where who serves this page has films; null: nowhere. */
let films = null
/** The item that was looked for there last. */
let lookedFor = null
/** Of which item which addresses are offered. */
let shownAddresses = ""

async function begin() {
  const link = behindHash()
  if (link === "") return say("This page wants a link of an audience behind its #.")
  say("Connecting …")
  try {
    listener = await Listener.open(link)
  } catch (error) {
    say("You are not listening.")
    return warn(error.message)
  }
  globalThis.listener = listener
  for (const name of ["audience", "activity", "timing"]) listener.addEventListener(name, showAudience)
  listener.addEventListener("refused", ({ detail }) => warn(detail.message))
  listener.addEventListener("invited", ({ detail }) => {
    byId("come-in").href = `index.html${location.search}#${encodeURIComponent(detail.invite)}`
    byId("invited").hidden = false
    announce("A host lets you in.")
    byId("come-in").focus()
  })
  films = await filmsHere()
  player = await listener.attach(film)
  player.addEventListener("time-control", showAudience)
  player.addEventListener("item-state", ({ detail }) => {
    if (detail.itemState === "failed") warn("This browser cannot play that; choose another copy.")
    if (detail.itemState === "ready") warn("")
  })
  player.addEventListener("gesture", showGesture)
  showGesture()
  byId("room").hidden = byId("people").hidden = false
  showAudience()
  setInterval(showStep, 1000)
}

function showGesture() {
  byId("gesture").hidden = !player.needsGesture
  if (player.needsGesture) byId("allow").focus()
}

// What the group does

const STATES = {
  connecting: "Connecting …", silent: "Nobody of the group is heard at the moment; what was on goes on.", over: "It is over.",
}

function showAudience() {
  const { status, listeners, item, reason, isDoubted, reactions } = listener.state
  byId("doubts").textContent = isDoubted ? reason : ""
  if (status === "following") say(item === null ? "You listen; nothing is on yet." : playing())
  else say([STATES[status], isDoubted ? "" : reason].filter(Boolean).join(" "))
  byId("title").textContent = listener.activity?.title || (item === null ? "Listen" : plain(item))
  // By two digits.
  byId("listeners").textContent = listeners > 0 ? `Listening: ${listeners < 100 ? "" : "about "}${listeners.toLocaleString()}` : ""
  showReactions(reactions)
  if (status === "over") byId("room").hidden = byId("people").hidden = true
  else if (player) showCopy(item)
}

const playing = () => (listener.timing.status === "playing" ? "It is on." : "It is paused.")

/** The same buttons stay: somebody may be at one of them with the keyboard. */
function showReactions(reactions) {
  const buttons = [...byId("react").children]
  if (buttons.map((each) => each.value).join("\n") !== reactions.map(({ text }) => text).join("\n")) {
    byId("react").replaceChildren(...reactions.map(({ text }) => {
      const button = document.createElement("button")
      button.value = text
      button.onclick = () => attempt(async () => {
        warn("")
        await listener.react(text)
      })
      return button
    }))
  }
  for (const [at, { text, count }] of reactions.entries()) {
    const button = byId("react").children[at]
    button.textContent = count > 0 ? `${text} ${count}` : text
    button.setAttribute("aria-label", count > 0 ? `React: ${text}, as ${count} did` : `React: ${text}`)
  }
}

function showCopy(item) {
  if (loaded && item !== null && item !== loaded.item) {
    loaded = null
    attempt(() => player.clear())
  }
  byId("wanted").textContent = item === null ? "Nothing is on yet."
    : loaded ? `You have "${plain(item)}".` : `"${plain(item)}" is on. Choose your copy.`
  if (item !== null && !loaded && item !== lookedFor) attempt(() => lookFor(item))
  const offered = loadable([listener.activity?.address ?? ""]).filter((each) => item !== null && each !== loaded?.address)
  const shown = JSON.stringify([item, ...offered])
  if (shown === shownAddresses) return
  shownAddresses = shown
  byId("addresses").replaceChildren(...buttonsFor(offered, (address) => attempt(() => load(item, address))))
}

/** Loads what is on from where this page is from, if it is there: that server is trusted already. */
async function lookFor(item) {
  lookedFor = item
  const address = await addressIn(films, item)
  if (address !== null && !loaded && listener.state.item === item) await load(item, address)
}

async function load(item, address) {
  loaded = { item, address }
  await player.load(loaded)
  showAudience()
}

byId("file").addEventListener("change", () => attempt(async () => {
  const [file] = byId("file").files
  const { item } = listener.state
  if (!file || item === null) return
  if (chosen) URL.revokeObjectURL(chosen)
  chosen = URL.createObjectURL(file)
  await load(item, chosen)
  // It was chosen by a touch.
  await player.allow()
}))

// The film

function showTime() { byId("time").textContent = `${place(film.currentTime)} of ${place(film.duration || 0)}` }

async function showStep() {
  if (listener.state.status === "over" || !loaded) return
  const { skewLast } = await player.statistics().catch(() => ({ skewLast: null }))
  byId("step").textContent = skewLast === null || film.paused ? "" : `In step within ${Math.ceil(Math.abs(skewLast) * 1000)} ms`
}

film.addEventListener("timeupdate", showTime)
film.addEventListener("durationchange", showTime)
byId("allow").onclick = () => attempt(() => player.allow())
byId("volume").addEventListener("input", () => attempt(() => player.setVolume(Number(byId("volume").value))))

// To the hosts

byId("say").addEventListener("submit", (event) => {
  event.preventDefault()
  const text = byId("text").value.trim()
  if (text === "") return
  attempt(async () => {
    warn("")
    await listener.sayToHosts(text)
    byId("text").value = ""
    announce("It is on its way; whether a host reads it is not known.")
  })
})
byId("ask").onclick = () => attempt(async () => {
  warn("")
  await listener.askToSpeak(byId("text").value.trim())
  announce("You asked; a host may let you in.")
})
byId("leave").onclick = () => attempt(async () => {
  await listener.close()
  byId("room").hidden = byId("people").hidden = true
  say("You left.")
})
addEventListener("pagehide", () => { listener?.close() })

begin()
