// Time of tests: it stands until it is moved, and does what is due on the way, in order.

export class Clock {
  constructor() { Object.assign(this, { time: 0, due: [], last: 0 }) }

  now = () => this.time
  setTimeout = (act, wait) => this.add(act, wait)
  clearTimeout = (number) => { this.due = this.due.filter((one) => one.number !== number) }
  setInterval = (act, every) => this.add(act, every, every)
  clearInterval = this.clearTimeout

  add(act, wait, every) {
    this.due.push({ act, every, time: this.time + wait, number: ++this.last })
    return this.last
  }

  /** Lets so many ms go by; promises that are kept on the way are heard of. */
  async move(span) {
    const end = this.time + span
    for (;;) {
      // What was said without a wait comes first.
      for (let round = 0; round < 10; round++) await null
      const next = this.due.filter((one) => one.time <= end).sort((one, other) => one.time - other.time || one.number - other.number)[0]
      if (!next) break
      this.time = Math.max(this.time, next.time)
      this.clearTimeout(next.number)
      if (next.every !== undefined) this.due.push({ ...next, time: this.time + next.every })
      next.act()
    }
    this.time = end
  }
}
