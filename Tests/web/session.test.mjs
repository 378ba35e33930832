// Sessions in WebAssembly through the package of bindings/web, at the `unisono hub` that was built, with each other and with a native
// participant.

import assert from "node:assert/strict"
import { once } from "node:events"
import test from "node:test"
import { Session } from "../../bindings/web/unisono.js"
import { aNative } from "./native.mjs"
import { ITEM, module, next, outside, pair, sessions, skip, skipNative, until, withPlayers } from "./sessions.mjs"

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
    assert.deepEqual([message.type, message.version], [null, 0])

    await one.setControl("hosts-only")
    await until("the policy", [other], ["rights"], () => !other.mayCommand)
    await assert.rejects(other.addEntry({ item: ITEM }), { code: "EDENIED" })
    await one.setRole(other.local, "host")
    await until("the role", [other], ["rights"], () => other.mayCommand && other.role === "host")
    await other.addEntry({ item: ITEM, title: "Big Buck Bunny", addresses: ["https://example.org/film.mp4"] })
    await until("the entry", [one], ["playlist"], () => one.playlist.entries.length === 1)
    assert.equal(one.playlist.entries[0].title, "Big Buck Bunny")

    await other.leave()
    assert.equal(other.state.status === "invalidated" || (await next(other, "state")).status === "invalidated", true)
    await until("the parting", [one], ["participants"], () => one.participants.length === 1)
  })
})

test("F81: a page keeps the newest 200 entries of the chat", { skip }, async () => {
  await sessions(async ({ host }) => {
    const ada = await host()
    let heard = 0
    ada.addEventListener("chat", () => heard++)
    // As the module tells it: nobody may say so much at once.
    const tell = (number, hostTime) => ada.link.engine.report({ event: "chat", author: ada.local, number, text: `${number}`, hostTime })
    for (let number = 1; number <= 201; number++) tell(number, number * 1e9)
    // Said before all others, and told last.
    tell(202, 1e8)
    await until("all are told", [ada], ["chat"], () => heard === 202)
    assert.deepEqual(ada.chat.map((each) => each.number), Array.from({ length: 200 }, (_, place) => place + 2))
  })
})

test("F126: who comes to another network has its connection anew at once, and is where it was", { skip }, async () => {
  await sessions(async ({ host, guest }) => {
    const network = Object.assign(new EventTarget(), { navigator: { connection: Object.assign(new EventTarget(), { type: "wifi" }) } })
    const ada = await host()
    await ada.join()
    const ben = await guest(ada.invite, { outside: { ...outside, network } })
    await ben.join()
    await until("a roster of two", [ada, ben], ["participants"], () => ada.participants.length === 2 && ben.participants.length === 2)
    const told = []
    ben.addEventListener("state", ({ detail }) => told.push(detail.connection))
    const { connection } = network.navigator
    const changes = [
      () => network.dispatchEvent(new Event("offline")),
      () => { connection.type = "cellular"; connection.dispatchEvent(new Event("change")) },
    ]
    for (const change of changes) {
      told.length = 0
      change()
      await until("it connects anew", [ben], ["state"], () => told.includes("reconnecting") && told.at(-1) === "connected")
      const heard = next(ada, "chat")
      await ben.say("still here")
      assert.equal((await heard).text, "still here")
    }
    // Another guess at its speed is no other network.
    told.length = 0
    connection.dispatchEvent(new Event("change"))
    const heard = next(ben, "chat")
    await ada.say("and here")
    assert.equal((await heard).text, "and here")
    assert.deepEqual(told.filter((each) => each !== "connected"), [])
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

test("F22, F96: at a speed that its browser does not play a page is apart, and is back with the next command", { skip }, async () => {
  await sessions(async (made) => {
    const [one, other] = await pair(made)
    const [ada, ben] = await withPlayers(one, other)
    await ada.player.play()
    await until("both playing", [ada.player, ben.player], ["time-control"],
      () => [ada, ben].every(({ player }) => player.timeControl === "playing"))
    const failed = []
    for (const { player } of [ada, ben]) {
      player.addEventListener("rate", ({ detail }) => { if (detail.rateReason === "set-rate-failed") failed.push(player) })
    }
    const isApart = ({ suspensionReasons }) => suspensionReasons.length > 0
    await ada.player.setRate(0.05)
    await until("both apart", [one], ["participants"], () => one.participants.length === 2 && one.participants.every(isApart))
    assert.deepEqual(new Set(failed), new Set([ada.player, ben.player]))
    assert.deepEqual([ada.element.paused, ben.element.paused], [true, true])
    await ada.player.setRate(1)
    await until("both back", [one, ada.player, ben.player], ["participants", "time-control"],
      () => !one.participants.some(isApart) && isRunning(ada) && isRunning(ben))
  })
})

test("F23, F96: a player that is detached answers its seek, and leaves the element as it is", { skip }, async () => {
  await sessions(async (made) => {
    const [one, other] = await pair(made)
    const [ada, ben] = await withPlayers(one, other)
    await ada.player.play()
    await until("both playing", [ada.player, ben.player], ["time-control"],
      () => [ada, ben].every(({ player }) => player.timeControl === "playing"))
    await ben.player.detach()
    assert.equal(ben.element.paused, false)
    const seeking = ada.player.seek(100)
    await ada.player.detach()
    const late = AbortSignal.timeout(5000)
    assert.equal(await Promise.race([seeking, once(late, "abort")]), "cancelled")
    assert.equal(one.player, null)
    await ada.player.detach().then(() => assert.fail("it is detached"), ({ code }) => assert.equal(code, "ESTATE"))
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
    const native = aNative(one.invite, ITEM)
    try {
      await native.hear("joined")
      await until("a roster of two", [one], ["participants"], () => one.participants.length === 2)
      const [here] = await withPlayers(one)
      await until("both are ready", [one], ["participants"], () => one.participants.every((each) => each.item === ITEM && each.isReady))
      const heard = next(one, "chat")
      await one.say("from the browser")
      await native.hear("chat from the browser")
      assert.equal((await heard).isOwn, true)

      await here.player.play()
      await native.hear("playing")
      await until("it plays here", [here.element], ["playing"], () => isRunning(here))
      native.tell("pause")
      await until("it stands here", [here.element], ["pause"], () => here.element.paused)
      await native.hear("paused")
      native.tell("seek 90")
      await until("it is there here", [here.element], ["seeked"], () => Math.abs(here.element.currentTime - 90) < 0.01)
      native.tell("leave")
      await until("the parting", [one], ["participants"], () => one.participants.length === 1)
    } finally {
      native.end()
    }
  })
})
