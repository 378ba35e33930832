// Sessions in WebAssembly through the package of bindings/web, at the `unisono hub` that was built, with each other and with a native
// participant.

import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"
import { Session } from "../../bindings/web/unisono.js"
import { FakeElement } from "./element.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { root, web } from "./module.mjs"
import { WebSocket } from "./websocket.mjs"

const LIBRARY = process.env.UNISONO_LIBRARY ?? path.join(root, "build/libunisono.so")
const skip = fs.existsSync(COMMAND) ? false : `${COMMAND} is not built; run \`make command\` first`
const skipNative = skip || (fs.existsSync(LIBRARY) ? false : `${LIBRARY} is not built; run \`make library\` first`)
const module = skip ? undefined : new WebAssembly.Module(fs.readFileSync(path.join(web, "unisono.wasm")))
const outside = { socket: (address, events) => new WebSocket(address, events) }
const ITEM = "film:big-buck-bunny"

/** Done when `holds` does, looked at with every event of these; says what there is if it does not in time. */
function until(what, targets, names, holds, describe = () => "") {
  return new Promise((resolve, reject) => {
    const end = (finish) => {
      clearTimeout(late)
      for (const target of targets) for (const name of names) target.removeEventListener(name, look)
      finish()
    }
    const late = setTimeout(() => end(() => reject(new Error(`not within 20 s: ${what} ${describe()}`))), 20_000)
    const look = () => { if (holds()) end(resolve) }
    for (const target of targets) for (const name of names) target.addEventListener(name, look)
    look()
  })
}

/** The next event of a name. */
const next = async (target, name) => (await once(target, name, { signal: AbortSignal.timeout(20_000) }))[0].detail

async function sessions(body) {
  const hub = await aHub()
  const open = []
  try {
    await body({
      hub,
      host: async (options = {}) => {
        const session = await Session.host({ hub: hub.line, wasm: module, outside, name: "Ada", ...options })
        open.push(session)
        return session
      },
      guest: async (invite, options = {}) => {
        const session = await Session.open(invite, { wasm: module, outside, name: "Ben", ...options })
        open.push(session)
        return session
      },
    })
  } finally {
    for (const session of open) await session.close()
    hub.end()
  }
}

/** Both play the same item; the elements. */
async function withPlayers(...all) {
  return Promise.all(all.map(async (session) => {
    const element = new FakeElement()
    const player = await session.attach(element)
    await player.load({ item: ITEM, address: `${session.local}.mp4` })
    return { session, player, element }
  }))
}

/** Two who are in one session, and see each other. */
async function pair({ host, guest }, options) {
  const one = await host(options)
  await one.join()
  const other = await guest(one.invite)
  await other.join()
  await until("a roster of two", [one, other], ["participants"], () => one.participants.length === 2 && other.participants.length === 2)
  return [one, other]
}

const isRunning = ({ element }) => element.since !== null
const skew = (one, other) => Math.abs(one.element.currentTime - other.element.currentTime)
const everyWord = ["time-control", "rate", "time-jumped", "seek-done", "item-state"]

test("F96: two browsers join by an invite, see and hear each other, and part", { skip }, async () => {
  await sessions(async (places) => {
    const [one, other] = await pair(places, { activity: { identifier: "org.example.film", title: "A film" } })
    const names = (session) => session.participants.map((each) => each.displayName).sort().join()
    await until("a roster of two", [one, other], ["participants"], () => names(one) === "Ada,Ben" && names(other) === "Ada,Ben")
    await until("the activity", [other], ["activity"], () => other.activity?.title === "A film")

    const heard = next(other, "chat")
    await one.say("Hello \"Ben\" \\ \u{1F600}\nsecond line")
    const entry = await heard
    assert.equal(entry.text, "Hello \"Ben\" \\ \u{1F600}\nsecond line")
    assert.equal(entry.author, one.local)
    assert.equal(entry.name, "Ada")

    const came = next(one, "message")
    await other.send(Uint8Array.from([0, 1, 254, 255]), { to: [one.local] })
    const message = await came
    assert.deepEqual([...message.data], [0, 1, 254, 255])
    assert.equal(message.sender, other.local)

    await one.setControl("hosts-only")
    await until("the policy", [other], ["rights"], () => !other.mayCommand)
    await assert.rejects(other.addEntry({ item: ITEM }), { code: "EDENIED" })
    await one.setRole(other.local, "host")
    await until("the role", [other], ["rights"], () => other.mayCommand && other.role === "host")
    await other.addEntry({ item: ITEM, title: "Big Buck Bunny", address: "https://example.org/film.mp4" })
    await until("the entry", [one], ["playlist"], () => one.playlist.entries.length === 1)
    assert.equal(one.playlist.entries[0].title, "Big Buck Bunny")

    await other.leave()
    assert.equal(other.state.status === "invalidated" || (await next(other, "state")).status === "invalidated", true)
    await until("the parting", [one], ["participants"], () => one.participants.length === 1)
  })
})

test("F96: two browsers start, pause and seek together", { skip }, async () => {
  await sessions(async (places) => {
    const [one, other] = await pair(places)
    const players = await withPlayers(one, other)
    const words = players.map((each) => each.player)
    const elements = players.map((each) => each.element)
    await until("both are ready", [one], ["participants"], () => one.participants.every((each) => each.item === ITEM && each.isReady))

    await players[0].player.play()
    await until("both play", elements, ["playing"], () => players.every(isRunning))
    assert.ok(skew(...players) < 0.1, `they began ${skew(...players)} s apart`)

    await players[1].player.pause()
    await until("both stand", elements, ["pause"], () => players.every((each) => each.element.paused))
    await until("the group is paused", [one, other], ["timing"], () => one.timing.status === "paused" && other.timing.status === "paused")

    assert.equal(await players[0].player.seek(120), "done")
    await until("both are there", elements, ["seeked"], () => players.every((each) => Math.abs(each.element.currentTime - 120) < 0.01))
    await players[1].player.play()
    await until("both play on", [...elements, ...words], ["playing", ...everyWord], () => players.every(isRunning))
    const statistics = await players[0].player.statistics()
    assert.equal(statistics.stalls, 0)
  })
})

test("F96: who needs a touch first is not waited for, and joins in after it", { skip }, async () => {
  await sessions(async (places) => {
    const [one, other] = await pair(places)
    const [first, second] = await withPlayers(one, other)
    second.element.mayPlay = false
    await until("both are ready", [one], ["participants"], () => one.participants.every((each) => each.item === ITEM && each.isReady))
    const wanted = next(second.player, "gesture")
    await first.player.play()
    assert.deepEqual(await wanted, { isNeeded: true })
    await until("the first plays", [first.element], ["playing"], () => isRunning(first))
    await until("it is known why the other does not", [one], ["participants"], () =>
      one.participants.find((each) => each.id === other.local).suspensionReasons.includes("user-action-required"))

    second.element.mayPlay = true
    await second.player.allow()
    await until("the other plays, too", [second.element], ["playing", "seeked"], () => isRunning(second) && !second.element.seeking)
    await until("no reason is left", [one], ["participants"], () =>
      one.participants.find((each) => each.id === other.local).suspensionReasons.length === 0)
  })
})

test("F96: an invite to another hub than it names opens nothing", { skip }, async () => {
  await sessions(async ({ hub, host, guest }) => {
    const one = await host()
    const wrong = hub.line.replace(/\/([a-z2-7])(?=[a-z2-7]{25}$)/, (_, first) => (first === "a" ? "/b" : "/a"))
    const other = await Session.host({ hub: wrong, wasm: module, outside })
    try {
      await until("it is refused", [other], ["state"], () => /not the hub that was expected/.test(other.state.message))
      assert.notEqual(other.state.connection, "connected")
    } finally {
      await other.close()
    }
    await assert.rejects(guest(`${one.invite}x`), { code: "EINVAL" })
    await assert.rejects(guest("https://example.org/"), { code: "EINVAL" })
  })
})

test("F96: joining ends with its signal, and calls before it are refused", { skip }, async () => {
  await sessions(async ({ host }) => {
    const one = await host()
    await assert.rejects(one.say("too early"), { code: "ESTATE" })
    await assert.rejects(one.join({ signal: AbortSignal.abort() }), { name: "AbortError" })
    await one.join()
    await assert.rejects(one.remove(one.local), { code: "EINVAL" })
    await assert.rejects(one.setRole("00".repeat(16), "host"), { code: "EINVAL" })
    await assert.rejects(one.setRole("01".repeat(16), "host"), { code: "ENOTFOUND" })
    await assert.rejects(one.say("x".repeat(2001)), /longer than 2000 bytes|at most/)
  })
})

test("F96: a module that breaks down ends its session, and says so", { skip }, async () => {
  await sessions(async ({ host, guest }) => {
    const one = await host()
    await one.join()
    const other = await guest(one.invite)
    await other.join()
    await until("a roster of two", [one], ["participants"], () => one.participants.length === 2)
    const broken = () => { throw new WebAssembly.RuntimeError("unreachable") }
    other.link.engine.exports = { ...other.link.engine.exports, session_chat: broken }
    const state = next(other, "state")
    await assert.rejects(other.say("x"), /unreachable/)
    const { status, connection, reason } = await state
    assert.deepEqual([status, connection, reason], ["invalidated", "none", "failed"])
    await assert.rejects(other.say("x"), { code: "ESTATE" })
    await until("the other one sees it gone", [one], ["participants"], () =>
      one.participants.every((each) => each.isLocal || each.connection !== "connected"))
  })
})

test("F96: a browser and a native participant play together", { skip: skipNative }, async () => {
  await sessions(async ({ host }) => {
    const one = await host()
    await one.join()
    await until("an invite", [one], ["invite"], () => one.invite !== "")
    const native = spawn("python3", [path.join(root, "Tests/web/native_guest.py"), one.invite, ITEM], {
      env: { ...process.env, UNISONO_LIBRARY: LIBRARY, PYTHONPATH: path.join(root, "bindings/python") }, stdio: ["pipe", "pipe", "inherit"],
    })
    try {
      let said = ""
      native.stdout.on("data", (bytes) => { said += bytes })
      const output = [wrapped(native.stdout)]
      const says = (line) => until(`the native one says "${line}"`, output, ["data"], () => said.includes(`${line}\n`), () => said)
      await says("joined")
      await until("a roster of two", [one], ["participants"], () => one.participants.length === 2)
      const [here] = await withPlayers(one)
      await until("both are ready", [one], ["participants"], () => one.participants.every((each) => each.item === ITEM && each.isReady))
      const heard = next(one, "chat")
      await one.say("from the browser")
      await says("chat from the browser")
      assert.equal((await heard).isOwn, true)

      await here.player.play()
      await says("playing")
      await until("it plays here", [here.element], ["playing"], () => isRunning(here))
      native.stdin.write("pause\n")
      await until("it stands here", [here.element], ["pause"], () => here.element.paused)
      await says("paused")
      native.stdin.write("seek 90\n")
      await until("it is there here", [here.element], ["seeked"], () => Math.abs(here.element.currentTime - 90) < 0.01)
      native.stdin.write("leave\n")
      await until("the parting", [one], ["participants"], () => one.participants.length === 1)
    } finally {
      native.kill()
    }
  })
})

/** A stream of node with an EventTarget's way of listening. */
function wrapped(stream) {
  return { addEventListener: (name, call) => stream.on(name, call), removeEventListener: (name, call) => stream.off(name, call) }
}
