// An mpv of tests, looked at and used from outside by its JSON commands, as Benchmarks/players/mpv_ipc.py does.

import { spawnSync } from "node:child_process"
import net from "node:net"
import { createInterface } from "node:readline"

/** What tests with mpv lack here; false: nothing. */
export const lacking = () => (spawnSync("mpv", ["--version"]).status === 0 ? false : "there is no mpv; Debian's package mpv has it")

export class Mpv {
  /** The one that listens at this path, or will within 20 s. */
  static async at(path) {
    const mpv = new Mpv()
    Object.assign(mpv, { last: 0, calls: new Map() })
    for (const end = Date.now() + 20_000;;) {
      mpv.socket = net.connect(path)
      const error = await new Promise((resolve) => mpv.socket.once("connect", () => resolve(null)).once("error", resolve))
      if (!error) break
      if (Date.now() > end) throw new Error(`no mpv answers at ${path}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    mpv.socket.on("error", () => {})
    createInterface({ input: mpv.socket }).on("line", (line) => {
      const { request_id: id, data, error } = JSON.parse(line)
      mpv.calls.get(id)?.(error === "success" ? data : null)
      mpv.calls.delete(id)
    })
    return mpv
  }

  /** What a command gives back; null: nothing, or it failed. */
  command(...words) {
    const id = ++this.last
    return new Promise((resolve) => {
      this.calls.set(id, resolve)
      this.socket.write(`${JSON.stringify({ command: words, request_id: id })}\n`)
    })
  }

  get(name) { return this.command("get_property", name) }

  /** Where its sound is, s, and when that was so, ms since 1970; null: it is between places. `time-pos` would have the grid of frames. */
  async position() {
    const before = performance.now()
    const place = await this.get("audio-pts")
    return typeof place === "number" ? { place, time: performance.timeOrigin + (before + performance.now()) / 2 } : null
  }

  end() { this.socket.destroy() }
}
