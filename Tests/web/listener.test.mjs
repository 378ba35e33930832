// A place in an audience by the package of bindings/web: at the hub that was built, beside a native host who speaks to it.

import assert from "node:assert/strict"
import test from "node:test"
import { Listener, Session } from "../../bindings/web/unisono.js"
import { FakeElement } from "./element.mjs"
import { aNative } from "./native.mjs"
import { ITEM, module, next, outside, sessions, skipNative as skip, until } from "./sessions.mjs"
import { until as holdsSoon } from "./waiting.mjs"

const listening = (link, options = {}) => Listener.open(link, { wasm: module, outside, ...options })

/** A native host of a session of hosts, which has an audience; the link of that. */
async function beforeAudience(body) {
  await sessions(async ({ hub }) => {
    const native = aNative(hub.line, ITEM, "HOSTS_ONLY")
    const open = []
    try {
      await native.hear("joined")
      native.tell("activate A chapter")
      native.tell("audience")
      let link
      while (!link) link = (await native.hear("audience open")).split(" ")[3]
      await body({
        native, link,
        listen: async (options) => {
          const listener = await listening(link, options)
          open.push(listener)
          return listener
        },
      })
    } finally {
      for (const listener of open) await listener.close()
      native.end()
    }
  })
}

const follows = (listener) =>
  until("the group is heard", [listener], ["audience"], () => listener.state.status === "following" && listener.state.item === ITEM,
    () => JSON.stringify(listener.state))

/** Where it is, s, and when that was, ms since 1970. */
async function placeOf(native) {
  native.tell("where")
  const [, place, time] = (await native.hear("at ")).split(" ")
  return { place: Number(place) / 1e9, time: Number(time) / 1e6 }
}

test("F141: a page listens to an audience, and plays what the group plays, where the group is", { skip }, async () => {
  await beforeAudience(async ({ native, listen }) => {
    native.tell("play")
    await native.hear("playing")
    const listener = await listen()
    await follows(listener)
    await until("what the group does", [listener], ["activity"], () => listener.activity !== null)
    assert.deepEqual([listener.activity.title, listener.activity.type], ["A chapter", "read-together"])

    const element = new FakeElement()
    const player = await listener.attach(element)
    await player.load({ item: listener.state.item, address: "chapter.mp3" })
    await holdsSoon("it plays", () => !element.paused)
    const skew = async () => {
      const { place, time } = await placeOf(native)
      const age = performance.timeOrigin + performance.now() - time
      return Math.abs(element.currentTime - age / 1000 - place)
    }
    await holdsSoon("it is in step", async () => (await skew()) < 0.05)
    assert.equal(listener.timing.status, "playing")
    const { clockError } = await player.statistics()
    assert.ok(clockError !== null && clockError < 0.05, `${clockError}`)

    native.tell("seek 300")
    await holdsSoon("it goes along", async () => element.currentTime > 299 && (await skew()) < 0.05)
    native.tell("pause")
    await holdsSoon("it pauses", () => element.paused)
  })
})

test("F141: a page that listens commands nothing: what it asks for is refused, and its element is where the group is", { skip }, async () => {
  await beforeAudience(async ({ native, listen }) => {
    const listener = await listen()
    await follows(listener)
    const element = new FakeElement()
    const player = await listener.attach(element)
    await player.load({ item: ITEM, address: "chapter.mp3" })
    await holdsSoon("it is ready", () => player.itemState === "ready")
    const refused = next(listener, "refused")
    await player.play()
    const { operation, code } = await refused
    assert.deepEqual([operation, code], ["setRate", "EDENIED"])
    // What was wished for is given up: it does not wait for a start.
    await holdsSoon("the player stands as before", () => player.timeControl === "paused")
    assert.ok(element.paused)
    await assert.rejects(listener.link.call("session_chat", [], ["Hello"]), { code: "ESTATE" })
    await assert.rejects(listener.attach(element), { code: "EBUSY" })
    native.tell("play")
    await holdsSoon("it plays with the group", () => !element.paused)
  })
})

test("F141: a page reacts by what the audience has, once a second, and both sides are told how many did", { skip }, async () => {
  await beforeAudience(async ({ native, listen }) => {
    const listener = await listen()
    await follows(listener)
    assert.deepEqual(listener.state.reactions.map((each) => each.text), ["+1"])
    await assert.rejects(listener.react("-1"), { code: "EINVAL" })
    await listener.react("+1")
    await assert.rejects(listener.react("+1"), { code: "EBUSY" })
    let line
    do line = await native.hear("audience open"); while (!line.endsWith("+1 1"))
    await until("the count", [listener], ["audience"], () => listener.state.reactions[0].count === 1)
  })
})

test("F141: who listens in a page writes to the hosts, asks to speak, and comes into the session by the invite", { skip }, async () => {
  await beforeAudience(async ({ native, listen }) => {
    const listener = await listen()
    await follows(listener)
    await assert.rejects(listener.sayToHosts(""), { code: "EINVAL" })
    await assert.rejects(listener.sayToHosts("x".repeat(256)), { code: "EINVAL" })
    await listener.sayToHosts("Louder, please")
    assert.equal(await native.hear("listener says"), "listener says Louder, please")
    await assert.rejects(listener.sayToHosts("Louder!"), { code: "EBUSY" })
    const invited = next(listener, "invited")
    await listener.askToSpeak("May I?")
    assert.equal(await native.hear("listener asks"), "listener asks May I?")
    native.tell("let-in")
    const session = await Session.open((await invited).invite, { wasm: module, outside, name: "Ben" })
    try {
      await session.join()
      await until("a roster of two", [session], ["participants"], () => session.participants.length === 2)
    } finally {
      await session.close()
    }
  })
})

test("F141: a page is told that the audience was closed; a link that is none, or an invite, is refused", { skip }, async () => {
  await beforeAudience(async ({ native, listen, link }) => {
    const listener = await listen()
    await follows(listener)
    const player = await listener.attach(new FakeElement())
    native.tell("close-audience")
    await until("the end", [listener], ["audience"], () => listener.state.status === "over")
    assert.match(listener.state.reason, /closed/)
    await assert.rejects(player.play(), { code: "ESTATE" })
    await assert.rejects(listener.react("+1"), { code: "ESTATE" })
    await assert.rejects(listening(link.slice(0, -3)), { code: "EINVAL" })
    await assert.rejects(listening("https://example.org/"), { code: "EINVAL" })
    await assert.rejects(listening(""), { code: "EINVAL" })
    const signal = AbortSignal.abort(new Error("not any more"))
    await assert.rejects(listening(link, { signal }), /not any more/)
  })
})
