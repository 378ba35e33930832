// Unisono in the browser: a session of people who play the same thing at the same moment, and a player in it.
//
// SPDX-License-Identifier: Apache-2.0

import { INVALID } from "./engine.js"
import { link } from "./link.js"
import { ElementRenderer } from "./video.js"

const CONTROLS = ["everyone", "hosts-only", "per-role"]
const ROLES = ["", "viewer", "member", "host", "owner"]
const REQUESTS = ["pause", "play", "seek"]
const WORDS = ["not-said", "ready", "not-ready"]
const STARTS = ["at-once", "first-when-ready", "when-ready"]
const LEAVINGS = ["go-on", "pause"]
const ACTIVITIES = [
  "generic", "watch-together", "listen-together", "play-together", "create-together", "explore-together", "learn-together", "read-together",
  "shop-together", "workout-together",
]
/** Each a bit. */
const RANGES = ["intro", "recap", "credits", "other"]
/** By the number of a `unisono_notice_kind`. */
const NOTICES = {
  0: "custom", 1: "played", 2: "paused", 3: "skipped", 4: "rate-changed", 5: "item-changed", 6: "queue-changed", 7: "left-waiting",
  13: "range-skipped",
}
const STATES = ["position", "ready", "seeked", "playing", "paused", "stalled", "recovered", "ended", "failed"]
/** UNISONO_RENDERER_NUDGES. */
const NUDGES = 4
/** The suspension of a player whose element may not play before somebody has touched the page. */
const GESTURE = 1n

/** Entries of the chat that are kept, as natively. */
const KEPT_ENTRIES = 200

const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const digitsOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
const seconds = (ns) => (ns === null || ns === undefined ? null : ns / 1e9)
const nanoseconds = (value) => BigInt(Math.round(value * 1e9))
const position = (value) => (value === undefined || value === null || !Number.isFinite(value) ? INVALID : nanoseconds(value))

function numberIn(names, name, what) {
  const number = names.indexOf(name)
  if (number < 0) throw new TypeError(`${what} is ${JSON.stringify(name)}; give one of ${names.filter(Boolean).join(", ")}`)
  return number
}

/** Of a kind of ranges. */
const bitOf = (kind) => 1 << numberIn(RANGES, kind, "kind")

/** Texts and bytes in one, each behind its length. */
function packed(parts) {
  const encoded = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part))
  return new Uint8Array(encoded.flatMap((bytes) => [...new Uint8Array(Uint32Array.of(bytes.length).buffer), ...bytes]))
}

/** What the group does, as calls take it. */
function packedActivity({
  identifier = "", type = "generic", title, subtitle, address, payload, image, endsWithInitiator = false, supportsContinuation = false,
}) {
  const facts = Uint8Array.of(numberIn(ACTIVITIES, type, "type"), endsWithInitiator ? 1 : 0, supportsContinuation ? 1 : 0)
  return packed([identifier, title ?? "", subtitle ?? "", address ?? "", payload ?? "", image ?? "", facts])
}

/** A copy as calls take it: its numbers, and its hash. */
function partsOf(copy) {
  const { duration, size, hash } = copy ?? {}
  return { numbers: [nanoseconds(duration ?? 0), BigInt(size ?? 0)], hash: bytesOf(hash ?? "") }
}

/** An error with the `code` of the C header, without its prefix: "ESTATE". */
function failure(code, message) { return Object.assign(new Error(message), { code }) }

/** Times of an item, and spans: seconds. */
const SPANS = ["ahead", "behind", "itemTime", "amount", "roundTrip", "clockError", "cutOffset", "duration", "remaining", "errorBound", "limit", "begin", "end"]
/** What has values of its own in it. */
const PARTS = ["start", "copy", "attachment", "startPolicy"]

/**
 * What only a worker may know: events become `CustomEvent`s, times seconds, ms of this page's `performance.now()`, and of the calendar ms
 * since 1970.
 */
function translated(event, shift) {
  const out = {}
  for (const [name, value] of Object.entries(event)) {
    if (name === "event") continue
    if (name === "hostTime" || name === "deadline") out[name] = value === null ? null : value / 1e6 - shift
    else if (name === "calendarTime") out[name] = value === null ? null : Math.round(value / 1e6)
    else if (SPANS.includes(name)) out[name] = seconds(value)
    else if (PARTS.includes(name) && value !== null && typeof value === "object") out[name] = translated(value, shift)
    else if (Array.isArray(value) && typeof value[0] === "object") out[name] = value.map((one) => translated(one, shift))
    else out[name] = value
  }
  return out
}

/** What a session and a place in an audience have in common: who else is there, what plays, and a player. */
class Participation extends EventTarget {
  constructor() {
    super()
    this.participants = []
    this.activity = null
    this.timing = { status: "none", waitingFor: [] }
    this.player = null
  }

  async begin(options, call, numbers, texts) {
    const { signal, calendar = Date.now } = options
    signal?.throwIfAborted()
    this.calendar = calendar
    this.link = await link(options, (event) => this.receive(event))
    try {
      await this.link.call(call, [this.calendarTime, ...numbers], texts)
      signal?.throwIfAborted()
    } catch (error) {
      await this.link.close()
      throw error
    }
    signal?.addEventListener("abort", () => this.close(), { once: true })
    return this
  }

  /** ns since 1970. */
  get calendarTime() { return BigInt(Math.round(this.calendar())) * 1_000_000n }

  receive(event) {
    const detail = translated(event, this.link.shift)
    switch (event.event) {
      case "renderer":
        if (!this.player?.isDetached) this.player?.renderer.carryOut(event)
        return
      case "player": case "seeking": case "statistics": this.player?.receive(event.event, detail, event); return
      case "participants": this.participants = detail.participants; break
      case "activity":
        Object.assign(detail, { type: ACTIVITIES[event.type] ?? "generic", payload: bytesOf(event.payload), image: bytesOf(event.image) })
        this.activity = event.identifier === null ? null : detail
        break
      case "timing": this.timing = detail; break
      default: this.change(event, detail)
    }
    this.dispatchEvent(new CustomEvent(event.event, { detail }))
  }

  /** Puts a media element in step with the group; one at a time. */
  async attach(element) {
    if (this.player) throw failure("EBUSY", "there is a player; detach it first")
    const player = new Player(this, element)
    this.player = player
    try {
      await this.link.call("player_create", [NUDGES, 0, 0n])
    } catch (error) {
      player.renderer.close()
      this.player = null
      throw error
    }
    // Where the browser says so beforehand nobody waits for a start that it would refuse.
    if (globalThis.navigator?.userActivation?.hasBeenActive === false && !element.muted) await player.suspend()
    return player
  }

  /** Leaves if it has not, and lets go of everything. */
  async close() {
    if (this.isClosing) return
    this.isClosing = true
    this.player?.renderer.close()
    await this.link.close()
  }
}

export class Session extends Participation {
  /** Calls that were taken and are answered by an event, by what they are known by. */
  #awaited = new Map()
  #lastNumber = 0

  /** Not by `new`: `Session.open` and `Session.host` make one. */
  constructor() {
    super()
    this.local = ""
    this.state = { status: "waiting", connection: "connecting", reason: "none", message: "", isAlone: true, isClosed: false, hub: null }
    this.role = "member"
    this.control = "everyone"
    this.mayCommand = true
    this.startPolicy = { start: "at-once", limit: 60, leaving: "go-on" }
    this.skippedRanges = []
    this.playlist = { current: null, entries: [] }
    this.chat = []
    this.attachments = []
    this.scheduledStart = null
    this.invite = ""
  }

  /** Opens the session of an invite, or of a link that has one behind its "#". It reads along; `join` takes part. */
  static async open(invite, options = {}) {
    const { name = "", deviceName = "", role = "" } = options
    const past = Session.#past(options)
    return new Session().begin(options, "session_open", [numberIn(ROLES, role, "role"), past.age], [invite, name, deviceName, ...past.bytes])
  }

  /** Begins a session at a hub, whose line `unisono hub` prints. */
  static async host(options) {
    const { hub, name = "", deviceName = "", control = "everyone", activity = {} } = options
    const past = Session.#past(options)
    return new Session().begin(
      options, "session_host", [numberIn(CONTROLS, control, "control"), past.age],
      [hub, name, deviceName, packedActivity(activity), ...past.bytes])
  }

  /** Another day that is gone on from. */
  static #past({ continuation = "", continuationKey = "", continuationAge = 0 }) {
    return { age: nanoseconds(continuationAge), bytes: [continuation, continuationKey] }
  }

  /** Calls, and waits for the event that says what became of it. */
  async #later(key, call) {
    if (this.#awaited.has(key)) throw failure("EBUSY", "that is under way already")
    const outcome = new Promise((resolve, reject) => this.#awaited.set(key, { resolve, reject }))
    // Should the session end during the call, that is what its caller is told.
    outcome.catch(() => {})
    try {
      await call()
    } catch (error) {
      this.#awaited.delete(key)
      throw error
    }
    return outcome
  }

  /** An event says what became of a call, if anybody here waits for that: `error` or `value`. */
  #settle(key, error, value) {
    const call = this.#awaited.get(key)
    this.#awaited.delete(key)
    if (error) call?.reject(error)
    else call?.resolve(value)
  }

  change(event, detail) {
    switch (event.event) {
      case "opened": this.local = event.local; break
      case "state":
        this.state = detail
        if (detail.status !== "invalidated") break
        for (const key of this.#awaited.keys()) this.#settle(key, failure("ESTATE", detail.message || "the session is over"))
        break
      case "rights": case "settings": Object.assign(this, detail); break
      case "playlist": this.playlist = { current: detail.current, entries: detail.entries }; break
      case "invite": this.invite = detail.text; break
      case "chat": this.#keep(detail); break
      case "request":
        if (event.asker === this.local && event.status !== "open") this.#settle(`request ${event.number}`, null, event.status)
        break
      case "schedule": this.scheduledStart = ["set", "remaining"].includes(event.change) ? detail.start : null; break
      case "attachment": this.#changeAttachments(detail); break
      case "notice": detail.kind = NOTICES[event.kind] ?? "custom"; break
      case "message": detail.data = bytesOf(event.bytes); delete detail.bytes; break
    }
  }

  #changeAttachments(detail) {
    this.attachments = detail.attachments ?? this.attachments
    delete detail.attachments
    const { change, attachment, request, code, message } = detail
    const key = request === 0 ? `load ${attachment.id}` : `offer ${request}`
    if (change === "failed") this.#settle(key, failure(code, message))
    else if (change === (request === 0 ? "loaded" : "added")) this.#settle(key, null, attachment)
  }

  /** What was said before one came stands where it belongs. */
  #keep(entry) {
    this.chat.push(entry)
    this.chat.sort((one, other) => (one.hostTime ?? Infinity) - (other.hostTime ?? Infinity))
    if (this.chat.length > KEPT_ENTRIES) this.chat.shift()
  }

  /** Takes part; done when it is so. */
  async join({ signal } = {}) {
    signal?.throwIfAborted()
    await this.link.call("session_join")
    await new Promise((resolve, reject) => {
      const look = () => {
        if (this.state.status === "joined") settle(resolve)
        else if (this.state.status === "invalidated") settle(() => reject(failure("ESTATE", this.state.message)))
      }
      const abort = () => settle(() => reject(signal.reason))
      const settle = (end) => {
        this.removeEventListener("state", look)
        signal?.removeEventListener("abort", abort)
        end()
      }
      this.addEventListener("state", look)
      signal?.addEventListener("abort", abort)
      look()
    })
  }

  /** Leaves; the others are told. */
  leave() { return this.link.call("session_leave") }
  /** Ends it for everybody. */
  end() { return this.link.call("session_end") }

  say(text) { return this.link.call("session_chat", [], [text]) }
  react(text) { return this.link.call("session_react", [], [text]) }
  setSpeaking(isSpeaking) { return this.link.call("session_set_speaking", [isSpeaking ? 1 : 0]) }
  async setReady(word) { return this.link.call("coordinator_set_ready", [numberIn(WORDS, word, "word")]) }

  /** Which starts wait until people are ready, for how long at most, s, and whether the group pauses when somebody leaves. */
  async setStartPolicy({ start, limit = 0, leaving = "go-on" }) {
    await this.link.call(
      "coordinator_set_start_policy", [numberIn(STARTS, start, "start"), nanoseconds(limit), numberIn(LEAVINGS, leaving, "leaving")])
  }
  /** The start that waits for people goes on without those of these participants; none: without waiting for anybody to be ready. */
  startWithout(ids = []) {
    return this.link.call("coordinator_start_without", [], [new Uint8Array(ids.flatMap((id) => [...bytesOf(id)]))])
  }
  /** The group's last jump is taken back, whoever made it; once more, and all are where it led. */
  undoJump() { return this.link.call("coordinator_undo_jump") }
  /** Which ranges of entries the group leaves out: "intro", "recap", "credits", "other". */
  async setSkippedRanges(kinds) {
    await this.link.call("coordinator_set_skipped_ranges", [kinds.reduce((bits, kind) => bits | bitOf(kind), 0)])
  }

  /**
   * Bytes or a text, at most 64 KiB; `to`: ids of participants, all others unless given; `type` and `version`: what they are, by which
   * receivers tell messages apart.
   */
  async send(data, { to = [], isReliable = true, type = "", version = 0 } = {}) {
    if (version >>> 0 !== version) throw new TypeError(`version is ${version}; give a whole number, 0...4,294,967,295`)
    const receivers = new Uint8Array(to.flatMap((id) => [...bytesOf(id)]))
    await this.link.call("session_send", [isReliable ? 1 : 0, version], [data, receivers, type ?? ""])
  }

  /** What the group does now; `payload`, bytes or a text, is the application's own. */
  async activate(activity) { await this.link.call("session_activate", [], [packedActivity(activity)]) }

  async setRole(id, role) { return this.link.call("session_set_role", [numberIn(ROLES, role, "role")], [bytesOf(id)]) }
  async setControl(control) { return this.link.call("session_set_control_policy", [numberIn(CONTROLS, control, "control")]) }
  setClosed(isClosed) { return this.link.call("session_set_closed", [isClosed ? 1 : 0]) }
  remove(id) { return this.link.call("session_remove_participant", [], [bytesOf(id)]) }

  /**
   * `copy`: how to recognise one of it; `addresses`: where it can be had; `ranges`: what the group may leave out, { begin, end, kind } in
   * their order, s.
   */
  async addEntry({ item, title = "", copy = {}, addresses = [], before = "", ranges = [] }) {
    const known = partsOf(copy)
    const numbers = ranges.flatMap(({ begin, end, kind }) => [nanoseconds(begin), nanoseconds(end), BigInt(bitOf(kind))])
    const bytes = new Uint8Array(BigInt64Array.from(numbers).buffer)
    await this.link.call("session_add_entry", known.numbers, [item, title, packed(addresses), bytesOf(before), bytes, known.hash])
  }
  moveEntry(id, { before = "" } = {}) { return this.link.call("session_move_entry", [], [bytesOf(id), bytesOf(before)]) }
  removeEntry(id) { return this.link.call("session_remove_entry", [], [bytesOf(id)]) }
  selectEntry(id) { return this.link.call("session_select_entry", [], [bytesOf(id)]) }
  /** `follows`: the entry that the group is at, so that two who press at once go on by one. */
  nextEntry({ follows = "" } = {}) { return this.link.call("session_next_entry", [], [bytesOf(follows)]) }

  /** Asks those who may command: "pause", "play", "seek". Done when that is answered: "granted", "declined" or "unanswered". */
  async ask(kind, { itemTime, text = "" } = {}) {
    const number = ++this.#lastNumber
    return this.#later(`request ${number}`, () => this.link.call(
      "session_request_command", [numberIn(REQUESTS, kind, "request"), BigInt(number), position(itemTime)], [text]))
  }
  /** Answers a `request` event that is "open"; granted, it is carried out. */
  answer({ asker, number }, isGranted) {
    return this.link.call("session_answer_request", [isGranted ? 1 : 0, BigInt(number)], [bytesOf(asker)])
  }

  /** Everybody on the item begins at a time of day, `at` (a `Date`, or ms since 1970, by this device), or at a `hostTime`, ms. */
  async scheduleStart({ item, at, hostTime }) {
    if ((at === undefined) === (hostTime === undefined)) throw new TypeError("give `at` or `hostTime`")
    const then = at === undefined ? hostTime + this.link.shift : this.link.now() + (Number(at) - this.calendar())
    await this.link.call("session_schedule_start", [
      nanoseconds(then / 1000), at === undefined ? INVALID : BigInt(Math.round(Number(at))) * 1_000_000n,
    ], [item])
  }
  cancelStart() { return this.link.call("session_cancel_start") }
  /** How far away the scheduled start is by the group's clock, s; null: none is to come, or that clock is not known yet. */
  async untilStart() {
    const answer = await this.link.call("session_scheduled_start")
    return answer ? seconds(Number(new DataView(answer.buffer).getBigInt64(0, true))) : null
  }

  /** What identifies a copy on this device: its size, and a hash of samples of it. */
  async copyOf(file) {
    const size = BigInt(file.size)
    const ranges = new BigUint64Array((await this.link.call("copy_ranges", [size])).buffer)
    const parts = []
    for (let at = 0; at < ranges.length; at += 2) {
      const start = Number(ranges[at])
      parts.push(file.slice(start, start + Number(ranges[at + 1])))
    }
    const samples = new Uint8Array(await new Blob(parts).arrayBuffer())
    return { size: file.size, hash: digitsOf(await this.link.call("copy_hash", [size], [samples])) }
  }
  /** Says which copy plays here of an entry; "": none any more. What differs from others' comes as `copy`. */
  async setCopy(entry, copy = {}) {
    const { numbers, hash } = partsOf(copy)
    return this.link.call("session_set_copy", numbers, [bytesOf(entry), hash])
  }
  /** How far this device's copy is ahead of the group's item time, s, at most six hours either way. */
  async setCutOffset(offset, { entry = "" } = {}) {
    return this.link.call("session_set_cut_offset", [nanoseconds(offset)], [bytesOf(entry)])
  }

  /** Offers bytes to the group, which are kept here for as long as they are offered; done when everybody can have them. */
  async offer(data, { name = data.name ?? "", type = data.type ?? "" } = {}) {
    const bytes = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data
    const request = ++this.#lastNumber
    return this.#later(
      `offer ${request}`, () => this.link.call("session_attach_bytes", [BigInt(request)], [bytes, name, type]))
  }
  /** The bytes of an attachment, from whoever has it; `attachment` events say how far that is. */
  async loadAttachment(id, { signal } = {}) {
    signal?.throwIfAborted()
    const bytes = bytesOf(id)
    const cancel = () => this.cancelAttachment(id).catch(() => {})
    signal?.addEventListener("abort", cancel, { once: true })
    try {
      await this.#later(`load ${id}`, () => this.link.call("session_load_attachment", [], [bytes]))
      return await this.link.call("attachment_bytes", [], [bytes])
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    } finally {
      signal?.removeEventListener("abort", cancel)
    }
  }
  cancelAttachment(id) { return this.link.call("session_cancel_attachment", [], [bytesOf(id)]) }
  removeAttachment(id) { return this.link.call("session_remove_attachment", [], [bytesOf(id)]) }

  /** What `open` and `host` go on from on another day, sealed with a key of 16...1,024 bytes that nobody can guess. */
  continuation(key) { return this.link.call("session_continuation", [this.calendarTime], [key]) }
}

/** A place in an audience: what the group does is heard and played, and nothing commanded. */
export class Listener extends Participation {
  /** Not by `new`: `Listener.open` makes one. */
  constructor() {
    super()
    this.state = {
      status: "connecting", listeners: 0, item: null, reason: "", isDoubted: false, ahead: null, behind: null, reactions: [],
    }
  }

  /** Listens by a link of an audience, or one that has it behind its "#". */
  static async open(link, options = {}) {
    return new Listener().begin(options, "coordinator_listen", [], [link, options.deviceName ?? ""])
  }

  change(event, detail) {
    if (event.event === "audience") {
      this.state = detail
    } else if (event.event === "state") {
      // What the engine tells where it broke down.
      this.state = { ...this.state, status: "over", reason: detail.message }
      this.dispatchEvent(new CustomEvent("audience", { detail: this.state }))
    }
  }

  /** Asks the hosts for an invite into the session, which comes as "invited"; whether anybody reads it is not known. */
  askToSpeak(text = "") { return this.link.call("listener_ask_to_speak", [], [text]) }
  sayToHosts(text) { return this.link.call("listener_say_to_hosts", [], [text]) }
  /** One of `state.reactions`; counted, and nobody is told whose it was. */
  react(text) { return this.link.call("listener_react", [], [text]) }
}

export class Player extends EventTarget {
  /** Not by `new`: `attach` of a session or a listener makes one. */
  constructor(session, element) {
    super()
    Object.assign(this, { session, element, seeks: new Map(), asked: [], seekCalls: [], needsGesture: false, isDetached: false })
    this.timeControl = "paused"
    this.waitingReason = "none"
    this.itemState = "unknown"
    this.rate = 0
    this.renderer = new ElementRenderer(element, {
      now: () => session.link.now(),
      report: (state, facts) => this.#report(state, facts),
      mayNotPlay: () => this.suspend(),
      beats: (every, act) => session.link.beats(every, act),
    })
  }

  #report(state, { request = 0, itemTime, hostTime, duration, seekable, status = 0 } = {}) {
    const numbers = [
      numberIn(STATES, state, "state"), BigInt(request), position(itemTime),
      hostTime === undefined ? INVALID : BigInt(Math.round(hostTime * 1e6)),
      duration > 0 && Number.isFinite(duration) ? nanoseconds(duration) : 0n, position(seekable?.[0]), position(seekable?.[1]), status,
    ]
    // The session may have ended meanwhile: then there is nobody to tell.
    this.session.link.call("player_report", numbers).catch((error) => { if (error.code !== "ESTATE") throw error })
  }

  receive(kind, detail, event) {
    if (kind === "seeking") {
      this.seeks.set(event.request, this.seekCalls.shift())
    } else if (kind === "statistics") {
      const statistics = {}
      for (const [name, value] of Object.entries(event)) {
        if (name !== "event") statistics[name] = ["nudges", "seeks", "stalls"].includes(name) ? value : seconds(value)
      }
      this.asked.shift()?.(statistics)
    } else {
      Object.assign(this, { timeControl: detail.timeControl, waitingReason: detail.waitingReason, itemState: detail.itemState })
      this.rate = detail.rate
      if (detail.kind === "seek-done") {
        this.seeks.get(event.request)?.(detail.outcome)
        this.seeks.delete(event.request)
      }
      this.dispatchEvent(new CustomEvent(detail.kind, { detail }))
    }
  }

  /** What plays here: `item` is what the group compares, `address` where this page has it (unless given, the element's own source). */
  async load({ item, address = "", start = 0, duration = 0, isLive = false }) {
    const uri = address || this.element.currentSrc || this.element.src || item
    await this.session.link.call(
      "player_replace_current_item", [isLive ? 1 : 0, nanoseconds(start), nanoseconds(duration)], [item, uri])
  }
  clear() { return this.session.link.call("clear_current_item") }

  /** What the button does: everybody prepares, all start together. */
  play() { return this.session.link.call("player_play") }
  pause() { return this.session.link.call("player_pause") }
  setRate(rate) { return this.session.link.call("player_set_rate", [rate]) }
  setVolume(volume) { return this.session.link.call("player_set_volume", [volume]) }
  setShown(isShown) { return this.session.link.call("show_player", [isShown ? 1 : 0]) }

  /** The group goes there, s; done when this element is there: "done", "cancelled" by another, or "failed". */
  async seek(itemTime, { before = 0, after = 0 } = {}) {
    const done = new Promise((resolve) => this.seekCalls.push(resolve))
    try {
      await this.session.link.call("player_seek", [nanoseconds(itemTime), nanoseconds(before), nanoseconds(after)])
    } catch (error) {
      this.seekCalls.pop()
      throw error
    }
    return done
  }

  /** How well it is in step, s. */
  async statistics() {
    const answer = new Promise((resolve) => this.asked.push(resolve))
    try {
      await this.session.link.call("player_get_statistics")
    } catch (error) {
      this.asked.pop()
      throw error
    }
    return answer
  }

  /** The browser wants a touch before anything plays: until `allow` nobody waits for this player. */
  async suspend() {
    if (this.needsGesture) return
    this.needsGesture = true
    await this.session.link.call("coordinator_begin_suspension", [GESTURE], ["user-action-required"])
    this.dispatchEvent(new CustomEvent("gesture", { detail: { isNeeded: true } }))
  }

  /** In the handler of a click or a key, after "gesture": the player takes part from now on. */
  async allow() {
    if (!this.needsGesture) return
    await this.renderer.unlock()
    this.needsGesture = false
    await this.session.link.call("suspension_end", [GESTURE])
    this.dispatchEvent(new CustomEvent("gesture", { detail: { isNeeded: false } }))
  }

  /** The element is the page's own again; the session goes on. */
  async detach() {
    this.isDetached = true
    this.renderer.close()
    try {
      // Until this is done the player hears what becomes of its calls.
      await this.session.link.call("player_destroy")
    } finally {
      if (this.session.player === this) this.session.player = null
    }
  }
}
