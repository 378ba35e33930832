// One session in an instance of unisono.wasm: time, timers, random bytes and WebSockets for it. It runs in a worker in browsers
// (`worker.js`), where timers are not throttled while the tab is hidden, and without one in node; both by the same messages.
//
// SPDX-License-Identifier: Apache-2.0

/** What a stream is ordered to do. */
const [CONNECT, WRITE, CLOSE] = [0, 1, 2]
/** What a call gives back, among the orders. */
const ANSWER = 3
/** WASI's answer to a call that is not there (ENOSYS). */
const NOT_THERE = 52
/** The least 64-bit number: "not said". */
export const INVALID = -(2n ** 63n)
/** How much the calendar clock has to run ahead of the monotonic one, ms: this machine slept. */
const SLEEP = 2000

/** This clock in ns: that of `performance.now()`, which starts with the worker or the page. */
const nanoseconds = (milliseconds) => BigInt(Math.round(milliseconds * 1e6))

const systemClock = {
  now: () => performance.now(),
  calendar: () => Date.now(),
  setTimeout: (call, wait) => setTimeout(call, wait),
  clearTimeout: (timer) => clearTimeout(timer),
}

/** Opens a WebSocket as browsers have it. */
function browserSocket(address, { opened, received, closed }) {
  const isSecure = typeof location === "object" && location.protocol === "https:"
  const socket = new WebSocket(`${isSecure ? "wss" : "ws"}://${address}/`)
  socket.binaryType = "arraybuffer"
  socket.onopen = opened
  socket.onmessage = (event) => { if (event.data instanceof ArrayBuffer) received(new Uint8Array(event.data)) }
  socket.onclose = closed
  return { send: (bytes) => socket.send(bytes), close: () => socket.close() }
}

export class Engine {
  /**
   * @param {WebAssembly.Module} module unisono.wasm, compiled
   * @param {(event: object) => void} report hears what happens, in order
   * @param {{clock?: object, socket?: Function}} outside what stands in for a browser: in tests, and in node
   */
  constructor(module, report, { clock = systemClock, socket = browserSocket } = {}) {
    Object.assign(this, { report, clock, socket, sockets: new Map(), timer: undefined, isOver: false })
    const world = {
      random_get: (address, count) => {
        for (let at = 0; at < count; at += 65_536) {
          crypto.getRandomValues(new Uint8Array(this.exports.memory.buffer, address + at, Math.min(65_536, count - at)))
        }
        return 0
      },
    }
    // libc has a few calls for files linked in, for the text of a fatal error.
    const imports = {}
    for (const wanted of WebAssembly.Module.imports(module)) {
      imports[wanted.module] ??= {}
      imports[wanted.module][wanted.name] = world[wanted.name] ?? (() => NOT_THERE)
    }
    this.exports = new WebAssembly.Instance(module, imports).exports
    this.exports._initialize()
    this.ahead = clock.calendar() - clock.now()
    this.asleep = 0
  }

  /**
   * Calls the module; what came of it is reported before this returns.
   *
   * @param {string} name a call of Sources/UnisonoWeb/Session
   * @param {(number|bigint)[]} numbers its numbers, in order
   * @param {(string|Uint8Array)[]} byteStrings its texts and bytes, in order
   * @returns {Uint8Array|undefined} bytes, of calls that give some back
   * @throws {Error} with `code` if it is refused
   */
  call(name, numbers = [], byteStrings = []) {
    if (this.isOver) throw Object.assign(new Error("the session is over; make a new one"), { code: "ESTATE" })
    this.noticeSleep()
    return this.perform(name, numbers, byteStrings)
  }

  /** What nobody called for: that the module broke down over it was told as the session's state. */
  happen(name, numbers, byteStrings) {
    if (this.isOver) return
    try {
      this.call(name, numbers, byteStrings)
    } catch (error) {
      if (!this.isOver) throw error
    }
  }

  perform(name, numbers, byteStrings) {
    const encoder = new TextEncoder()
    const rooms = byteStrings.map((given) => {
      const bytes = typeof given === "string" ? encoder.encode(given) : given
      const address = this.exports.allocate(bytes.length)
      new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes)
      return [address, bytes.length]
    })
    let answer
    try {
      answer = this.exports[name](nanoseconds(this.clock.now()), ...numbers, ...rooms.flat())
    } catch (error) {
      this.fail(error)
      throw error
    }
    for (const [address] of rooms) this.exports.release(address)
    const { lines, orders } = this.read(answer)
    this.clock.clearTimeout(this.timer)
    const events = lines.map((line) => JSON.parse(line))
    const failure = events[0]?.event === "failure" ? events.shift() : undefined
    if (events.at(-1)?.event === "wake") this.arm(events.pop().hostTime)
    // First what is ordered: who hears an event may call again.
    for (const order of orders) this.carryOut(order)
    for (const event of events) this.report(event)
    if (failure) throw Object.assign(new Error(failure.message), { code: failure.code })
    return orders.find((order) => order.kind === ANSWER)?.content.slice()
  }

  /** The module ended in the middle of a call, and cannot go on: nobody is to believe that the session does. */
  fail(error) {
    this.end()
    this.report({
      event: "state", status: "invalidated", connection: "none", reason: "failed", message: `the session broke down: ${error.message}`,
      hub: null, isAlone: true, isClosed: false,
    })
  }

  read(answer) {
    const view = new DataView(this.exports.memory.buffer, answer)
    const length = view.getUint32(0, true)
    const text = new TextDecoder().decode(new Uint8Array(this.exports.memory.buffer, answer + 4, length))
    const bytes = new Uint8Array(this.exports.memory.buffer, answer + 8 + length, view.getUint32(4 + length, true)).slice()
    this.exports.release(answer)
    const orders = []
    const parts = new DataView(bytes.buffer)
    for (let at = 0; at < bytes.length;) {
      const end = at + 4 + parts.getUint32(at, true)
      orders.push({ kind: bytes[at + 4], stream: parts.getUint32(at + 5, true), content: bytes.subarray(at + 9, end) })
      at = end
    }
    return { lines: text.split("\n").filter(Boolean), orders }
  }

  arm(hostTime) {
    this.timer = this.clock.setTimeout(() => {
      this.happen("wake")
    }, Math.max(0, hostTime / 1e6 - this.clock.now()))
  }

  /** While a machine sleeps the calendar goes on and `performance.now()` stands, in most browsers. */
  noticeSleep() {
    const ahead = this.clock.calendar() - this.clock.now()
    const slept = ahead - this.ahead
    this.ahead = ahead
    if (slept < SLEEP) return
    this.asleep += slept
    this.perform("slept", [nanoseconds(this.asleep)], [])
  }

  /** This device came to another network, or has none: what was connected is at its end, and a socket does not say so for long. */
  loseSockets() {
    // Those that are opened in their place stay.
    for (const [stream, socket] of [...this.sockets]) {
      this.sockets.delete(stream)
      socket.close()
      this.happen("stream_closed", [stream])
    }
  }

  carryOut({ kind, stream, content }) {
    if (kind === CONNECT) {
      const heard = (name, bytes = []) => {
        if (this.sockets.has(stream)) this.happen(name, [stream], bytes)
      }
      const events = {
        opened: () => heard("stream_opened"),
        received: (bytes) => heard("stream_received", [bytes]),
        closed: () => {
          heard("stream_closed")
          this.sockets.delete(stream)
        },
      }
      try {
        this.sockets.set(stream, this.socket(new TextDecoder().decode(content), events))
      } catch {
        // An address that no WebSocket can be opened to.
        this.sockets.set(stream, { send() {}, close() {} })
        this.clock.setTimeout(events.closed, 0)
      }
    } else if (kind === WRITE) {
      this.sockets.get(stream)?.send(content)
    } else if (kind === CLOSE) {
      const socket = this.sockets.get(stream)
      this.sockets.delete(stream)
      socket?.close()
    }
  }

  /** Leaves whatever it is in; nothing is due afterwards. */
  close() {
    if (this.isOver) return
    try {
      this.call("session_leave")
    } catch (error) {
      if (error.code !== "ESTATE") throw error
    }
    this.end()
  }

  /** Nothing is due any more, and nobody is written to. */
  end() {
    this.isOver = true
    this.clock.clearTimeout(this.timer)
    for (const socket of this.sockets.values()) socket.close()
    this.sockets.clear()
  }
}
