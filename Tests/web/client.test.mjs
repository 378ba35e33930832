// A participant's place at a hub, in WebAssembly: the runtime's own client over a WebSocket, at the `unisono hub` that was built.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { call, load, root } from "./module.mjs"
import { WebSocket } from "./websocket.mjs"

const COMMAND = process.env.UNISONO_COMMAND ?? path.join(root, "build/unisono")
const skip = fs.existsSync(COMMAND) ? false : `${COMMAND} is not built; run \`make command\` first`
const [CONNECT, WRITE, CLOSE] = [0, 1, 2]

/** One client in an instance of the module; what it reports is kept as [name, value], in order. */
class Client {
  constructor(line, secret) {
    this.module = load("client")
    this.sockets = new Map()
    this.reports = []
    this.waiting = []
    this.call("client_begin", [], Buffer.from(line), secret)
  }

  call(name, numbers = [], ...bytes) {
    const { text, bytes: orders } = call(this.module, name, [process.hrtime.bigint(), ...numbers], ...bytes)
    clearTimeout(this.timer)
    for (const line of text.split("\n").filter(Boolean)) {
      const at = line.indexOf(" ")
      const report = [line.slice(0, at), line.slice(at + 1)]
      if (report[0] === "wake") this.arm(BigInt(report[1]))
      else this.reports.push(report)
    }
    for (let at = 0; at < orders.length; at += 4 + orders.readUInt32LE(at)) {
      this.carryOut(orders[at + 4], orders.readUInt32LE(at + 5), orders.subarray(at + 9, at + 4 + orders.readUInt32LE(at)))
    }
    this.waiting = this.waiting.filter((look) => !look())
  }

  arm(time) {
    const wait = Number(time - process.hrtime.bigint()) / 1e6
    this.timer = setTimeout(() => this.call("client_wake"), Math.max(0, wait))
  }

  carryOut(order, number, content) {
    if (order === CONNECT) {
      this.sockets.set(number, new WebSocket(content.toString(), {
        opened: () => this.call("client_opened", [number]),
        received: (bytes) => this.call("client_received", [number], bytes),
        closed: () => this.call("client_closed", [number]),
      }))
    } else if (order === WRITE) {
      this.sockets.get(number).send(content)
    } else if (order === CLOSE) {
      this.sockets.get(number).close()
    }
  }

  /** The value of the next report of this name, which counts as seen then. */
  async report(name) {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`no "${name}" within 20 s; there is ${JSON.stringify(this.reports)}`)), 20_000)
      const look = () => {
        const at = this.reports.findIndex(([each]) => each === name)
        if (at < 0) return false
        clearTimeout(late)
        resolve(this.reports.splice(at, 1)[0][1])
        return true
      }
      if (!look()) this.waiting.push(look)
    })
  }

  /** Leaves the room; nothing is due afterwards. */
  leave() {
    this.call("client_leave")
    clearTimeout(this.timer)
  }
}

/** A hub on a free port, which anybody may open rooms at: its line, and how it is ended. */
async function aHub() {
  const process = spawn(COMMAND, ["hub", "--open", "--listen", "127.0.0.1:0"], { stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  const line = await new Promise((resolve, reject) => {
    process.stderr.on("data", (bytes) => {
      log += bytes
      const found = /unisono-hub:\/\/[^/\s]+\/[a-z2-7]{26}/.exec(log)
      if (found) resolve(found[0])
    })
    process.on("exit", () => reject(new Error(`the hub ended: ${log}`)))
  })
  return { line, end: () => process.kill() }
}

/** An envelope as hubs check it: its sender, and else only that it is long enough. */
function envelope(sender, length) {
  return Buffer.concat([Buffer.from([2, 1]), Buffer.alloc(12), Buffer.from(sender, "hex"), Buffer.alloc(20), randomBytes(length)])
}

test("F73: clients in WebAssembly enter a room at a native hub, see and hear each other, and part", { skip }, async () => {
  const hub = await aHub()
  const secret = randomBytes(32)
  const one = new Client(hub.line, secret)
  let other
  try {
    const first = await one.report("participant")
    assert.equal(await one.report("entered"), "1")
    other = new Client(hub.line, secret)
    const second = await other.report("participant")
    assert.equal(await other.report("entered"), "2")
    assert.equal(await one.report("came"), second)

    const said = envelope(first, 3000)
    one.call("client_send", [], said)
    assert.equal(await other.report("delivered"), said.toString("hex"))

    one.call("client_probe")
    const roundTrip = Number(await one.report("probed"))
    assert.ok(roundTrip >= 0 && roundTrip < 20e9, `${roundTrip} ns`)

    other.leave()
    assert.equal(await one.report("left"), second)
  } finally {
    one.leave()
    other?.leave()
    hub.end()
  }
})

test("F73: a client in WebAssembly does not enter another hub than the one its line names", { skip }, async () => {
  const hub = await aHub()
  const one = new Client(hub.line.replace(/\/([a-z2-7])(?=[a-z2-7]{25}$)/, (_, first) => (first === "a" ? "/b" : "/a")), randomBytes(32))
  try {
    assert.match(await one.report("lost"), /^(until \d+|for good): .*is not the hub that was expected/)
    assert.ok(!one.reports.some(([name]) => name === "entered"))
  } finally {
    one.leave()
    hub.end()
  }
})
