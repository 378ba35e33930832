// The countdown to a scheduled start, by the group's clock: a device whose own clock is wrong counts as the others do.
//
// SPDX-License-Identifier: Apache-2.0

import { span } from "./words.js"

/** The last seconds are seen, and not read out one by one, s. */
const READ_OUT_FROM = 10

export class Countdown {
  #session
  #elements
  #announce
  #nameOf
  #timer
  /** Of the answers to several questions only that to the last one is shown. */
  #question = 0

  /**
   * @param {import("../unisono.js").Session} session
   * @param {{section: HTMLElement, time: HTMLElement, facts: HTMLElement, callOff: HTMLButtonElement}} elements
   * @param {{announce: (text: string) => void, nameOf: (id: string) => string}} page
   */
  constructor(session, elements, { announce, nameOf }) {
    this.#session = session
    this.#elements = elements
    this.#announce = announce
    this.#nameOf = nameOf
    session.addEventListener("schedule", ({ detail }) => this.#hear(detail))
    session.addEventListener("rights", () => this.show())
    // Timers hardly run in a tab that is put away.
    document.addEventListener("visibilitychange", () => this.show())
  }

  /** Looks how long it is, and shows it, until it is time. */
  async show() {
    clearTimeout(this.#timer)
    const question = ++this.#question
    const start = this.#session.scheduledStart
    const left = start && await this.#session.untilStart().catch(() => null)
    if (question !== this.#question) return
    const { section, time, facts, callOff } = this.#elements
    section.hidden = !start
    if (!start) return
    time.textContent = left === null ? "A start is scheduled; clocks are being compared …" : `Begins in ${span(left)}`
    facts.textContent = this.#facts(start)
    callOff.hidden = !this.#session.mayCommand
    // When the next second begins.
    this.#timer = setTimeout(() => this.show(), left === null ? 1000 : (left - Math.ceil(left) + 1) * 1000 + 5)
  }

  #facts({ calendarTime, originator }) {
    const who = originator === null ? "your" : `${this.#nameOf(originator)}'s`
    const by = originator === null ? "you" : this.#nameOf(originator)
    if (calendarTime === null) return `Scheduled by ${by}.`
    const then = new Date(calendarTime)
    const isToday = then.toDateString() === new Date().toDateString()
    const format = isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" }
    return `Scheduled by ${by}, for ${then.toLocaleString(undefined, format)} by ${who} clock.`
  }

  #hear({ change, start, remaining }) {
    const who = start.originator === null ? "You" : this.#nameOf(start.originator)
    if (change === "set") this.#announce(`${who} scheduled a start in ${span(remaining)}.`)
    if (change === "canceled") this.#announce(`${who} called the start off.`)
    if (change === "remaining" && remaining > READ_OUT_FROM - 1) this.#announce(`Begins in ${span(Math.round(remaining))}.`)
    this.show()
  }
}
