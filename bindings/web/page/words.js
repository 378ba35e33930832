// Times, sizes and names of others, as people read them on the page.
//
// SPDX-License-Identifier: Apache-2.0

/** What others wrote, in one line that shows all of it: an identifier is compared as it is. */
export const plain = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\uFFFD")

/** A place in a film, s: "1:02:03". */
export function place(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const used = parts[0] > 0 ? parts : parts.slice(1)
  return used.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":")
}

/** How long it is yet, s, in the two largest units: "3 min 12 s". A second that has begun counts, from an hour on a minute. */
export function span(seconds) {
  const whole = Math.max(0, Math.ceil(seconds))
  const exact = whole < 3600 ? whole : Math.ceil(whole / 60) * 60
  const parts = [
    [Math.floor(exact / 86_400), "d"], [Math.floor(exact / 3600) % 24, "h"], [Math.floor(exact / 60) % 60, "min"], [exact % 60, "s"],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return "0 s"
  return parts.slice(first, first + 2).filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ")
}

/** The next time at which a clock on the wall shows "20:15"; `now`: a `Date`. */
export function nextTime(text, now) {
  const [hours, minutes] = text.split(":").map(Number)
  const then = new Date(now)
  then.setHours(hours, minutes, 0, 0)
  // By the calendar: not every day has 24 hours.
  if (then <= now) then.setDate(then.getDate() + 1)
  return then
}

/** What starts wait for beside players, and what happens when somebody leaves; "": nothing is set. */
export function policy({ start, limit, leaving }) {
  const which = { "first-when-ready": "The first start of a film", "when-ready": "A start" }[start]
  const sentences = []
  if (which) sentences.push(`${which} waits until all are ready, for ${span(limit)} at most.`)
  if (leaving === "pause") sentences.push("When somebody leaves, the film pauses.")
  return sentences.join(" ")
}

/** Bytes: "150 kB". */
export function size(bytes) {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  const [amount, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"]
  return `${amount < 9.95 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${unit}`
}

/** What somebody, `who`, did to the film, as the native hosts say it; "": nothing that a page has to tell. */
export function deed({ kind, amount, rate, text, itemTime }, who) {
  const to = itemTime === null ? "" : place(itemTime)
  switch (kind) {
    case "custom": return text ? `${who}: ${text}` : ""
    case "played": return `${who} pressed play`
    case "paused": return `${who} paused`
    case "skipped": return to ? `${who} sought to ${to}` : `${who} skipped ${Math.round(Math.abs(amount))} s${amount < 0 ? " back" : ""}`
    case "rate-changed": return `${who} set the speed to ${Math.round(rate * 100) / 100}\u00D7`
    case "left-waiting": return `Gone on without ${who}`
    case "range-skipped": {
      const what = { intro: "The intro was", recap: "The recap was", credits: "The credits were" }[text] ?? "A part was"
      return `${what} skipped${to && `, to ${to}`}`
    }
    default: return ""
  }
}
