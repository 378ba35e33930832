// A media element of tests: it plays by a clock that it is given, and says what browsers' elements say.

export class FakeElement extends EventTarget {
  /** `latency`: ms from `play` to motion; `clock`: ms. */
  constructor({ duration = 600, latency = 30, clock = { now: () => performance.now(), setTimeout, clearTimeout } } = {}) {
    super()
    Object.assign(this, {
      clock, latency, source: "", currentSrc: "", readyState: 0, seeking: false, paused: true, error: null, volume: 1,
      defaultPlaybackRate: 1, mayPlay: true, duration: NaN, lengthOfSource: duration, at: 0, since: null, speed: 1,
    })
  }

  get src() { return this.source }
  set src(address) { this.source = address }

  get currentTime() {
    const moved = this.since === null ? 0 : ((this.clock.now() - this.since) / 1000) * this.speed
    return Math.min(this.at + moved, this.lengthOfSource)
  }

  set currentTime(place) {
    this.at = place
    if (this.since !== null) this.since = this.clock.now()
    this.seeking = true
    this.say("seeking")
    this.later(5, () => {
      if (this.since !== null) this.since = this.clock.now()
      this.seeking = false
      this.say("seeked")
    })
  }

  get ended() { return this.currentTime >= this.lengthOfSource }

  get playbackRate() { return this.speed }
  set playbackRate(rate) {
    // As Chromium has it.
    if (rate < 1 / 16 || rate > 16) throw Object.assign(new Error(`the rate ${rate} is not played`), { name: "NotSupportedError" })
    this.at = this.currentTime
    if (this.since !== null) this.since = this.clock.now()
    this.speed = rate
  }

  get seekable() { return { length: this.readyState > 0 ? 1 : 0, start: () => 0, end: () => this.lengthOfSource } }

  load() {
    Object.assign(this, { currentSrc: this.source, readyState: 0, at: 0, since: null, paused: true })
    this.later(5, () => {
      Object.assign(this, { readyState: 1, duration: this.lengthOfSource })
      this.say("loadedmetadata")
      this.readyState = 4
      this.say("canplay")
    })
  }

  async play() {
    if (!this.mayPlay) throw Object.assign(new Error("a touch is needed first"), { name: "NotAllowedError" })
    if (!this.paused) return
    this.paused = false
    this.say("play")
    if (this.readyState === 0) return new Promise((_, reject) => { this.giveUp = reject })
    this.later(this.latency, () => {
      if (this.paused) return
      this.since = this.clock.now()
      this.say("playing")
    })
  }

  pause() {
    if (this.paused) return
    this.at = this.currentTime
    this.since = null
    this.paused = true
    this.giveUp?.(Object.assign(new Error("it was paused"), { name: "AbortError" }))
    this.later(0, () => this.say("pause"))
  }

  say(name) { this.dispatchEvent(new Event(name)) }
  later(wait, act) { this.clock.setTimeout(act, wait) }
}
