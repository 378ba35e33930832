// A WebSocket of a test, as browsers speak it (RFC 6455): node 20 has none. Binary messages, masked; one message, one frame of the hub's.

import { createHash, randomBytes } from "node:crypto"
import net from "node:net"

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
const TEXT = 1
const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

/**
 * Opens one to "host:port"; `opened`, `received` (bytes of a message) and, once, `closed` are called as it goes. Hubs have the path "/",
 * take bytes and want to know which page it is of; browsers that are driven have another, take texts, and want none of a page.
 */
export class WebSocket {
  constructor(address, { opened, received, closed }, { path = "/", isText = false } = {}) {
    const [, host, port] = /^(.*):(\d+)$/.exec(address)
    const key = randomBytes(16).toString("base64")
    this.accept = createHash("sha1").update(key + GUID).digest("base64")
    this.kind = isText ? TEXT : BINARY
    Object.assign(this, { opened, received, rest: Buffer.alloc(0), isOpen: false, parts: [] })
    this.socket = net.connect({ host, port: Number(port), noDelay: true }, () => this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\n` +
      `Sec-WebSocket-Version: 13\r\n${isText ? "" : `Origin: http://${address}\r\n`}\r\n`))
    this.socket.on("data", (bytes) => this.read(bytes))
    this.socket.on("error", () => {})
    this.socket.on("close", closed)
  }

  send(bytes) { this.frame(this.kind, bytes) }

  /** Says goodbye and ends; what was sent before arrives. */
  close() {
    this.frame(CLOSE, Buffer.from([0x03, 0xe8]))
    this.socket.end()
  }

  frame(kind, bytes) {
    const mask = randomBytes(4)
    const long = bytes.length > 125
    if (bytes.length > 0xffff) throw new RangeError("a message of this test has less than 64 KiB")
    const length = long ? [0x80 | 126, bytes.length >> 8, bytes.length & 0xff] : [0x80 | bytes.length]
    const head = Buffer.from([0x80 | kind, ...length])
    this.socket.write(Buffer.concat([head, mask, Buffer.from(bytes.map((byte, at) => byte ^ mask[at % 4]))]))
  }

  read(bytes) {
    this.rest = Buffer.concat([this.rest, bytes])
    if (!this.isOpen) {
      const end = this.rest.indexOf("\r\n\r\n")
      if (end < 0) return
      const head = this.rest.subarray(0, end).toString()
      this.rest = this.rest.subarray(end + 4)
      if (!head.startsWith("HTTP/1.1 101 ") || !head.includes(this.accept)) return void this.socket.destroy()
      this.isOpen = true
      this.opened()
    }
    for (let message; (message = this.next()) !== null;) {
      if (message.kind === PING) this.frame(PONG, message.bytes)
      if (message.kind === CLOSE) this.socket.end()
      if (message.kind > BINARY) continue
      this.parts.push(message.bytes)
      if (message.isLast) this.received(Buffer.concat(this.parts.splice(0)))
    }
  }

  /** The next frame that is complete, or null. */
  next() {
    const rest = this.rest
    if (rest.length < 2) return null
    let [length, at] = [rest[1] & 0x7f, 2]
    if (length === 126) {
      if (rest.length < 4) return null
      ;[length, at] = [rest.readUInt16BE(2), 4]
    } else if (length === 127) {
      if (rest.length < 10) return null
      ;[length, at] = [Number(rest.readBigUInt64BE(2)), 10]
    }
    if (rest.length < at + length) return null
    this.rest = rest.subarray(at + length)
    return { kind: rest[0] & 0x0f, isLast: (rest[0] & 0x80) !== 0, bytes: rest.subarray(at, at + length) }
  }
}
