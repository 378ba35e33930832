// Subtitles that somebody in the group offers, as a text track of the film.
//
// SPDX-License-Identifier: Apache-2.0

/** Of more than that nobody reads: they are no subtitles, whatever they are called. */
const MOST_BYTES = 2_000_000
const MOST_CUES = 20_000
const TIME = String.raw`(?:\d{1,4}:)?\d{2}:\d{2}[.,]\d{3}`
const TIMING = new RegExp(String.raw`^(${TIME})[ \t]+-->[ \t]+(${TIME})(?=[ \t]|$)`)
/** What a file may begin with that says how its text is written; a decoder leaves it out. */
const MARKS = [["utf-8", [0xef, 0xbb, 0xbf]], ["utf-16le", [0xff, 0xfe]], ["utf-16be", [0xfe, 0xff]]]
/** What is guessed of a text that does not say it, and is no UTF-8: Western European, as old files mostly are. */
const GUESS = "windows-1252"

/** By name, type and size an attachment could be subtitles; what its bytes are `asWebVTT` says. */
export function couldBeSubtitles({ name, type, size }) {
  return size > 0 && size <= MOST_BYTES && (type === "text/vtt" || type === "application/x-subrip" || /\.(vtt|srt)$/i.test(name))
}

/** A text as its first bytes say, or else in UTF-8, or else by a guess, which `guess` names; "": none was made. */
function decoded(bytes) {
  const mark = MARKS.find(([, first]) => first.every((byte, at) => bytes[at] === byte))
  if (mark) return { text: new TextDecoder(mark[0]).decode(bytes), guess: "" }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), guess: "" }
  } catch {
    return { text: new TextDecoder(GUESS).decode(bytes), guess: GUESS }
  }
}

/** ms of "1:02:03.004", "02:03,004". */
const milliseconds = (time) => time.split(/[:.,]/).reverse().reduce((sum, part, at) => sum + Number(part) * [1, 1000, 60_000, 3_600_000][at], 0)

/** As WebVTT has it, "01:02:03.004". */
function webVTTTime(ms) {
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60]
  return `${[hours, minutes, seconds].map((part) => String(part).padStart(2, "0")).join(":")}.${String(ms % 1000).padStart(3, "0")}`
}

/**
 * The cues of a WebVTT or SubRip file, as WebVTT, each so much later, s; what is over before the film begins is left out. Without styles,
 * regions and notes, so nothing but words that are shown at a time. `guess`: the charset that was guessed, if one had to be.
 * An `Error` for people if it has no subtitles.
 */
export function asWebVTT(bytes, later = 0) {
  if (bytes.length > MOST_BYTES) throw new Error("it is too large for subtitles")
  const { text, guess } = decoded(bytes)
  const shift = Math.round(later * 1000)
  const cues = []
  let count = 0
  for (const block of text.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD").split(/\n{2,}/)) {
    const lines = block.split("\n").filter((line) => line !== "")
    // A name or a number may come first.
    const at = lines.slice(0, 2).findIndex((line) => TIMING.test(line))
    if (at < 0) continue
    if (++count > MOST_CUES) throw new Error("it has more lines than any film")
    const [from, to] = TIMING.exec(lines[at]).slice(1).map((time) => milliseconds(time) + shift)
    if (to <= 0) continue
    const timing = lines[at].replace(TIMING, `${webVTTTime(Math.max(0, from))} --> ${webVTTTime(to)}`)
    cues.push([timing, ...lines.slice(at + 1)].join("\n"))
  }
  if (count === 0) throw new Error("it has no subtitles in it")
  return { text: `WEBVTT\n\n${cues.map((cue) => `${cue}\n`).join("\n")}`, guess }
}

/** The one text track of a film that was chosen, if any is. */
export class Subtitles {
  #element
  #track = null
  /** What the film's times are ahead of the subtitles' own, s. */
  #later = 0
  /** What is shown, as it came, and its name. */
  #shown = null
  /** Ends the wait for it. */
  #giveUp

  constructor(element) { this.#element = element }

  get areShown() { return this.#track !== null }

  /**
   * Shows these, each cue so much later than it says, s; done when they are there: with the charset that was guessed, or "", or null if
   * they were hidden meanwhile. An `Error` for people if the browser cannot read them.
   */
  async show(bytes, label, later) {
    const { text, guess } = asWebVTT(bytes, later)
    const address = URL.createObjectURL(new Blob([text], { type: "text/vtt" }))
    this.hide()
    this.#shown = { bytes, label }
    this.#later = later
    const track = document.createElement("track")
    Object.assign(track, { kind: "subtitles", label, src: address })
    const read = new Promise((resolve, reject) => {
      track.onload = this.#giveUp = resolve
      track.onerror = () => reject(new Error("this browser cannot read it"))
    })
    this.#element.append(track)
    this.#track = track
    // Shown: only then is it read at all.
    track.track.mode = "showing"
    try {
      await read
      return this.#track === track ? guess : null
    } catch (error) {
      if (this.#track === track) this.hide()
      throw error
    } finally {
      URL.revokeObjectURL(address)
    }
  }

  /** The film's times are so far ahead of the subtitles' now, s. */
  async shift(later) {
    if (this.#shown === null || later === this.#later) return
    await this.show(this.#shown.bytes, this.#shown.label, later)
  }

  hide() {
    this.#track?.remove()
    this.#track = null
    this.#shown = null
    this.#giveUp?.()
  }
}
