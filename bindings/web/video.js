// A renderer on a media element: what the player layer wants is done with `currentTime`, `playbackRate`, `play` and `pause`, and what
// the element does is reported. Item times are seconds, host times ms of the session's clock.
//
// SPDX-License-Identifier: Apache-2.0

/** How often it says where it is while it plays, ms. */
const INTERVAL = 100
/** So near to where it is to stand it stays, s: a seek would be to the same picture. */
const HERE = 0.001
/** `HTMLMediaElement.HAVE_FUTURE_DATA`: it could play on. */
const HAVE_FUTURE_DATA = 3
/**
 * Another speed by less than this has another pitch, which can hardly be heard: Chromium's filter that keeps it loses some 15 ms whenever
 * a speed changes, more than most corrections are about.
 */
const KEEP_PITCH_FROM = 0.05
/** UNISONO_ENOTSUP. */
const NOT_SUPPORTED = -117

export class ElementRenderer {
  /** `beats(every, act)` has it called so often, ms, also while the page is hidden; null: not any more. */
  constructor(element, { now, report, mayNotPlay, beats }) {
    Object.assign(this, { element, now, report, mayNotPlay, beats })
    /** What is being done: the command's number, and what it waits for: "ready", "seeked" or "playing". */
    this.task = null
    this.rate = 1
    this.nudge = 1
    this.isToPlay = false
    this.isLoaded = false
    this.isHalted = false
    this.isWatched = false
    this.listeners = {
      loadedmetadata: () => this.#metadata(), canplay: () => this.#progress(), seeked: () => this.#progress(),
      playing: () => this.#playing(), waiting: () => this.#waiting(), pause: () => this.#paused(), ended: () => this.#ended(),
      error: () => this.#failed(), durationchange: () => this.#changed(),
    }
    for (const [name, listener] of Object.entries(this.listeners)) element.addEventListener(name, listener)
  }

  /** Lets go of the element. */
  close() {
    this.#watch(false)
    for (const [name, listener] of Object.entries(this.listeners)) this.element.removeEventListener(name, listener)
  }

  carryOut(command) {
    const itemTime = command.itemTime === null ? null : command.itemTime / 1e9
    switch (command.kind) {
      case "load": this.#load(command, itemTime); break
      case "cue":
        this.#stand()
        if (!this.#setRate(command.rate)) return this.#refuse(command.request)
        // Also where it stands already: a start straight after a pause is some 70 ms quicker than one after a seek, and is one or the other.
        this.#go(command.request, itemTime ?? this.element.currentTime, "ready", { isFresh: true })
        break
      case "play": this.#play(command); break
      case "pause":
        this.task = null
        this.#stand()
        this.#say("paused", command.request)
        break
      case "seek": this.#go(command.request, itemTime, "seeked"); break
      case "nudge":
        this.nudge = command.rate
        this.#applyRate()
        break
      case "volume": this.element.volume = command.volume; break
      case "stop":
        this.task = null
        this.#stand()
        this.isLoaded = false
        break
    }
  }

  // What it is told

  #load({ request, uri }, itemTime) {
    const { element } = this
    this.#stand()
    Object.assign(this, { isLoaded: false, isHalted: false, nudge: 1, task: { request, waitsFor: "ready", itemTime } })
    if (element.src !== uri && element.currentSrc !== uri) {
      element.src = uri
      element.load()
    } else if (element.error) {
      element.load()
    } else if (element.readyState > 0) {
      this.#metadata()
    }
  }

  #metadata() {
    const { task } = this
    if (!task || task.itemTime === undefined) return
    const { itemTime } = task
    delete task.itemTime
    this.#go(task.request, itemTime, task.waitsFor)
  }

  #go(request, itemTime, waitsFor, { isFresh = false } = {}) {
    this.task = { request, waitsFor }
    const isElsewhere = itemTime !== null && Math.abs(this.element.currentTime - itemTime) > HERE
    if (isElsewhere || isFresh) this.element.currentTime = itemTime
    this.#progress()
  }

  /** Whether what is waited for is there. */
  #progress() {
    const { task, element } = this
    if (this.isHalted && !element.seeking && element.readyState >= HAVE_FUTURE_DATA) this.#recover()
    if (!task || task.itemTime !== undefined || task.waitsFor === "playing" || element.seeking) return
    if (element.readyState < HAVE_FUTURE_DATA && !element.ended) return
    this.task = null
    this.isLoaded = true
    this.#say(task.waitsFor, task.request)
  }

  #play({ request, rate }) {
    if (!this.#setRate(rate)) return this.#refuse(request)
    this.isToPlay = true
    if (!this.element.paused) {
      this.task = null
      this.#watch(true)
      return this.#say("playing", request)
    }
    const task = { request, waitsFor: "playing" }
    this.task = task
    Promise.resolve(this.element.play()).catch((error) => {
      if (this.task !== task) return
      // A browser that wants a touch first: it plays after `unlock`.
      if (error.name === "NotAllowedError") return this.mayNotPlay()
      this.isToPlay = false
      this.#refuse(request)
    })
  }

  /** What it was told cannot be done here: it is told to stand then. */
  #refuse(request) {
    this.task = null
    this.#say("failed", request, { status: NOT_SUPPORTED })
  }

  #playing() {
    const { task } = this
    if (!this.isToPlay) return
    this.#watch(true)
    if (this.isHalted) this.#recover()
    if (task?.waitsFor !== "playing") return
    this.task = null
    this.#say("playing", task.request)
  }

  #stand() {
    this.isToPlay = false
    this.isHalted = false
    this.#watch(false)
    if (!this.element.paused) this.element.pause()
  }

  #setRate(rate) {
    this.rate = rate === 0 ? 1 : rate
    this.nudge = 1
    return this.#applyRate()
  }

  /** Whether the browser plays as fast or slow as that; Chromium from 1/16 to 16. If not, the element stays as it is. */
  #applyRate() {
    const { element } = this
    const rate = this.rate * this.nudge
    element.preservesPitch = Math.abs(this.rate - 1) >= KEEP_PITCH_FROM
    try {
      if (element.playbackRate !== rate) element.playbackRate = rate
    } catch (error) {
      if (error.name !== "NotSupportedError") throw error
      return false
    }
    // A source that is loaded begins at the default rate.
    element.defaultPlaybackRate = this.rate
    return true
  }

  /** In the handler of a touch: from then on the element may play whenever it is told to. */
  async unlock() {
    const { element } = this
    if (!element.paused) return
    const started = element.play()
    if (this.isToPlay) return started
    // What it is allowed to do it need not do now: without a film it would begin with the next one, and this would wait for that.
    element.pause()
    await Promise.resolve(started).catch((error) => { if (error.name !== "AbortError") throw error })
  }

  // What it does by itself

  #waiting() {
    if (!this.isToPlay || this.task || this.isHalted || this.element.seeking) return
    this.isHalted = true
    this.#say("stalled")
  }

  #recover() {
    this.isHalted = false
    this.#say("recovered")
  }

  #paused() {
    // It pauses before it ends, too.
    if (!this.isToPlay || this.task || this.element.ended) return
    this.isToPlay = false
    this.#watch(false)
    this.#say("paused")
  }

  #ended() {
    if (!this.isToPlay) return
    this.isToPlay = false
    this.#watch(false)
    this.#say("ended")
  }

  #failed() {
    const request = this.task?.request ?? 0
    this.task = null
    this.isToPlay = false
    this.#watch(false)
    this.#say("failed", request, { status: NOT_SUPPORTED })
  }

  #changed() { if (this.isLoaded) this.#say("position") }

  // What it says

  #watch(isOn) {
    if (isOn === this.isWatched) return
    this.isWatched = isOn
    this.beats(isOn ? INTERVAL : null, () => {
      if (this.isToPlay && !this.isHalted && !this.element.seeking) this.#say("position")
    })
  }

  #say(state, request = 0, facts = {}) {
    const { element } = this
    const { length } = element.seekable
    const seekable = length > 0 ? [element.seekable.start(0), element.seekable.end(length - 1)] : undefined
    this.report(state, {
      request, itemTime: element.currentTime, hostTime: this.now(),
      duration: Number.isFinite(element.duration) ? element.duration : 0, seekable, ...facts,
    })
  }
}
