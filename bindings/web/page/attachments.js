// The list of files that people in the group offer: subtitles can be shown, everything can be saved.
//
// SPDX-License-Identifier: Apache-2.0

import { couldBeSubtitles, Subtitles } from "./subtitles.js"
import { plain, size } from "./words.js"

/** How long a saved file's address is good, ms: browsers begin to read it only after the click. */
const SAVING = 60_000
/** The library's limit of an attachment. */
const MOST_BYTES = 100_000_000

/** One line of the list. It stays the same element while it is there, so that who has the focus in it keeps that. */
class Line {
  constructor(attachment, { isOwn, onSubtitles, onSave, onTakeBack }) {
    this.attachment = attachment
    /** Ends the load that is under way; null: none is. */
    this.controller = null
    /** Bytes that came by it. */
    this.transferred = 0
    this.element = document.createElement("li")
    this.facts = document.createElement("span")
    const name = document.createElement("span")
    name.className = "name"
    name.textContent = plain(attachment.name)
    this.save = this.#button("Save", () => onSave(this))
    this.subtitles = couldBeSubtitles(attachment) ? this.#button("Subtitles", () => onSubtitles(this)) : null
    this.subtitles?.setAttribute("aria-pressed", "false")
    const buttons = document.createElement("span")
    buttons.className = "buttons"
    const takeBack = isOwn ? this.#button("Take back", () => onTakeBack(this)) : null
    buttons.append(...[this.subtitles, this.save, takeBack].filter(Boolean))
    this.element.append(name, " ", this.facts, " ", buttons)
  }

  /** Read out with the file's name: there are several of each. */
  #button(word, act) {
    const button = document.createElement("button")
    this.#name(button, word)
    button.onclick = act
    return button
  }

  #name(button, word) {
    button.textContent = word
    button.setAttribute("aria-label", `${word}: ${plain(this.attachment.name)}`)
  }

  begin(controller) {
    Object.assign(this, { controller, transferred: 0 })
    this.#name(this.save, "Stop")
  }

  end() {
    this.controller = null
    this.#name(this.save, "Save")
  }

  get isOn() { return this.subtitles?.getAttribute("aria-pressed") === "true" }
  set isOn(isOn) { this.subtitles?.setAttribute("aria-pressed", String(isOn)) }

  describe(owner) {
    const { size: whole } = this.attachment
    const facts = [size(whole), `from ${owner}`]
    if (this.controller) facts.push(`${Math.floor((100 * this.transferred) / Math.max(1, whole))} % here`)
    this.facts.textContent = `(${facts.join(", ")})`
  }
}

export class AttachmentList {
  #session
  #list
  #announce
  #warn
  #ownerName
  #subtitles
  #lines = new Map()
  /** By how much the copies of those who offered something were ahead of the group when they were here last, s. */
  #cuts = new Map()

  /**
   * @param {import("../unisono.js").Session} session
   * @param {{list: HTMLElement, film: HTMLMediaElement, input: HTMLInputElement}} elements what is chosen in `input` is offered
   * @param {{announce: (text: string) => void, warn: (text: string) => void, ownerName: (id: string|null) => string}} page
   */
  constructor(session, { list, film, input }, { announce, warn, ownerName }) {
    this.#session = session
    this.#list = list
    this.#announce = announce
    this.#warn = warn
    this.#ownerName = ownerName
    this.#subtitles = new Subtitles(film)
    session.addEventListener("attachment", ({ detail }) => this.#change(detail))
    session.addEventListener("participants", () => this.#followCuts())
    input.onchange = () => this.#offer(input)
  }

  /** Another film: what was shown was of the one before. */
  hideSubtitles() {
    this.#subtitles.hide()
    for (const line of this.#lines.values()) line.isOn = false
  }

  /** By how much cues are shown later than they say, s: they are taken to be timed for the copy of who offers them. */
  #later({ owner }) {
    const here = this.#session.participants.find((each) => each.isLocal)
    return (here?.cutOffset ?? 0) - (this.#cuts.get(owner) ?? 0)
  }

  async #followCuts() {
    const lines = [...this.#lines.values()]
    const { participants } = this.#session
    for (const { id, cutOffset } of participants) this.#cuts.set(id, cutOffset)
    for (const id of this.#cuts.keys()) {
      const isNeeded = participants.some((each) => each.id === id) || lines.some((each) => each.attachment.owner === id)
      if (!isNeeded) this.#cuts.delete(id)
    }
    const line = lines.find((each) => each.isOn)
    if (!line) return
    try {
      await this.#subtitles.shift(this.#later(line.attachment))
    } catch (error) {
      this.#refuse(line, error)
    }
  }

  #refuse(line, { message }) {
    if (!this.#subtitles.areShown) this.hideSubtitles()
    this.#warn(`"${plain(line.attachment.name)}" cannot be shown as subtitles: ${message}.`)
  }

  #change({ change, attachment, transferred }) {
    const offered = this.#session.attachments.filter((each) => each.id !== null)
    for (const [id, line] of this.#lines) {
      if (offered.some((each) => each.id === id)) continue
      line.controller?.abort()
      if (line.isOn) this.hideSubtitles()
      line.element.remove()
      this.#lines.delete(id)
    }
    for (const each of offered) {
      const known = this.#lines.get(each.id)
      if (known) {
        // Whoever offers it now.
        known.attachment = each
        continue
      }
      const line = new Line(each, {
        isOwn: each.owner === this.#session.local, onSubtitles: (one) => this.#toggle(one), onSave: (one) => this.#save(one),
        onTakeBack: (one) => this.#takeBack(one),
      })
      this.#lines.set(each.id, line)
      this.#list.append(line.element)
    }
    const changed = this.#lines.get(attachment.id)
    if (changed) changed.transferred = transferred
    for (const line of this.#lines.values()) this.#describe(line)
    if (change === "added" && attachment.owner !== this.#session.local) {
      this.#announce(`${this.#ownerName(attachment.owner)} offers "${plain(attachment.name)}"`)
    }
  }

  #describe(line) { line.describe(this.#ownerName(line.attachment.owner)) }

  /** The bytes; null: they were not had, which was said, or whoever wanted them stopped it. */
  async #load(line) {
    const name = plain(line.attachment.name)
    const controller = new AbortController()
    line.begin(controller)
    this.#warn("")
    this.#describe(line)
    this.#announce(`Loading "${name}" …`)
    try {
      const bytes = await this.#session.loadAttachment(line.attachment.id, { signal: controller.signal })
      this.#announce(`"${name}" is here.`)
      return bytes
    } catch (error) {
      if (!controller.signal.aborted) this.#warn(`"${name}" could not be had: ${error.message}`)
      return null
    } finally {
      line.end()
      this.#describe(line)
    }
  }

  async #offer(input) {
    const [file] = input.files
    // The same one can be chosen again.
    input.value = ""
    if (!file) return
    this.#warn("")
    // It is read into memory: not what nobody would take.
    if (file.size > MOST_BYTES) return this.#warn(`"${file.name}" has ${size(file.size)}; up to ${size(MOST_BYTES)} can be offered.`)
    try {
      await this.#session.offer(file)
      this.#announce(`You offer "${file.name}"; others can load it while you are here.`)
    } catch (error) {
      this.#warn(`"${file.name}" could not be offered: ${error.message}`)
    }
  }

  async #takeBack(line) {
    try {
      await this.#session.removeAttachment(line.attachment.id)
    } catch (error) {
      this.#warn(`"${plain(line.attachment.name)}" could not be taken back: ${error.message}`)
    }
  }

  async #toggle(line) {
    // A second press while it loads is another mind.
    if (line.controller) return line.controller.abort()
    if (line.isOn) return this.hideSubtitles()
    const bytes = await this.#load(line)
    if (bytes === null) return
    const name = plain(line.attachment.name)
    let guess
    try {
      guess = await this.#subtitles.show(bytes, name, this.#later(line.attachment))
    } catch (error) {
      return this.#refuse(line, error)
    }
    if (guess === null) return
    for (const each of this.#lines.values()) each.isOn = each === line
    const guessed = guess ? ` It does not say in which charset it is; ${guess} is a guess.` : ""
    this.#announce(`Subtitles of "${name}" are shown.${guessed}`)
    // A cut that was said meanwhile.
    await this.#followCuts()
  }

  /** It is never opened here: what it says it is, is somebody's word. */
  async #save(line) {
    if (line.controller) return line.controller.abort()
    const bytes = await this.#load(line)
    if (bytes === null) return
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
    const link = document.createElement("a")
    Object.assign(link, { href: address, download: plain(line.attachment.name) })
    link.click()
    setTimeout(() => URL.revokeObjectURL(address), SAVING)
  }
}
