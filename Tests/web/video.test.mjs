// The renderer on a media element, with an element that plays by a clock of the test.

import assert from "node:assert/strict"
import test from "node:test"
import { ElementRenderer } from "../../bindings/web/video.js"
import { Clock } from "./clock.mjs"
import { FakeElement } from "./element.mjs"

const S = 1e9

function stage(options = {}) {
  const clock = new Clock()
  const element = new FakeElement({ clock, ...options })
  const said = []
  let [refusals, timer] = [0, undefined]
  const renderer = new ElementRenderer(element, {
    now: clock.now, report: (state, facts) => said.push([state, facts]), mayNotPlay: () => { refusals += 1 },
    beats: (every, act) => {
      clock.clearInterval(timer)
      if (every !== null) timer = clock.setInterval(act, every)
    },
  })
  let request = 0
  return {
    clock, element, said, renderer, refusals: () => refusals,
    tell: (kind, facts = {}) => renderer.carryOut({ kind, request: ++request, itemTime: null, uri: "film.mp4", rate: 1, ...facts }),
    states: () => said.map(([state, { request }]) => `${state} ${request}`),
    clear: () => said.splice(0),
  }
}

async function loaded(options) {
  const all = stage(options)
  all.tell("load", { itemTime: 10 * S })
  await all.clock.move(100)
  assert.deepEqual(all.states(), ["ready 1"])
  all.clear()
  return all
}

test("F96: an element is ready where it was told to be, with what it knows of the film", async () => {
  const { tell, clock, element, said } = stage()
  tell("load", { itemTime: 10 * S })
  await clock.move(100)
  assert.equal(said.length, 1)
  const [state, facts] = said[0]
  assert.equal(state, "ready")
  assert.equal(facts.itemTime, 10)
  assert.equal(facts.duration, 600)
  assert.deepEqual(facts.seekable, [0, 600])
  assert.equal(element.paused, true)
})

test("F96: an element that plays says so when it moves, and ten times a second where it is", async () => {
  const { tell, clock, said, states, element } = await loaded({ latency: 40 })
  tell("play")
  await clock.move(39)
  assert.deepEqual(states(), [])
  await clock.move(1)
  assert.deepEqual(states(), ["playing 2"])
  assert.equal(said[0][1].hostTime, 140)
  await clock.move(1000)
  assert.equal(said.length, 11)
  const { itemTime, hostTime } = said.at(-1)[1]
  assert.ok(Math.abs(itemTime - (10 + (hostTime - 140) / 1000)) < 1e-9)
  tell("pause")
  assert.equal(states().at(-1), "paused 3")
  const count = said.length
  await clock.move(1000)
  assert.equal(said.length, count)
  assert.equal(element.paused, true)
})

test("F126: before a start an element seeks also where it stands, so that each start takes as long", async () => {
  const { tell, clock, states, element } = await loaded()
  tell("cue", { itemTime: 10 * S })
  assert.equal(element.seeking, true)
  await clock.move(100)
  assert.deepEqual(states(), ["ready 2"])
  tell("seek", { itemTime: 10 * S })
  assert.equal(element.seeking, false, "a seek is to be seen, and there is nothing else to see")
  assert.deepEqual(states(), ["ready 2", "seeked 3"])
})

test("F96: a nudge changes the speed on top of the rate, and another rate ends it", async () => {
  const { tell, clock, element } = await loaded()
  tell("play", { rate: 1.5 })
  await clock.move(100)
  tell("nudge", { rate: 0.98 })
  assert.ok(Math.abs(element.playbackRate - 1.47) < 1e-12)
  tell("play", { rate: 2 })
  assert.equal(element.playbackRate, 2)
})

test("F22, F96: a speed that the browser does not play is answered as failed, and a nudge beyond it is none", async () => {
  const { tell, clock, element, states, clear } = await loaded()
  tell("cue", { rate: 0.05, itemTime: 20 * S })
  assert.deepEqual(states(), ["failed 2"])
  tell("play", { rate: 16 })
  await clock.move(100)
  clear()
  tell("nudge", { rate: 1.02 })
  assert.equal(element.playbackRate, 16)
  tell("play", { rate: 0.05 })
  assert.deepEqual(states().filter((each) => !each.startsWith("position")), ["failed 5"])
  tell("play", { rate: 1 })
  assert.deepEqual([states().at(-1), element.playbackRate], ["playing 6", 1])
})

test("F96: a seek is answered when its picture is there, and plays on", async () => {
  const { tell, clock, element, states } = await loaded()
  tell("play")
  await clock.move(50)
  tell("seek", { itemTime: 200 * S })
  assert.deepEqual(states(), ["playing 2"])
  await clock.move(5)
  assert.deepEqual(states(), ["playing 2", "seeked 3"])
  await clock.move(100)
  assert.ok(Math.abs(element.currentTime - 200.1) < 1e-9)
})

test("F96: of commands that replace each other only the last is answered", async () => {
  const { tell, clock, states, element } = await loaded()
  tell("seek", { itemTime: 200 * S })
  tell("cue", { itemTime: 300 * S })
  await clock.move(100)
  assert.deepEqual(states(), ["ready 3"])
  assert.equal(element.currentTime, 300)
  tell("play")
  tell("pause")
  await clock.move(100)
  assert.deepEqual(states(), ["ready 3", "paused 5"])
})

test("F96: an element without data says so once, and when it has them again", async () => {
  const { tell, clock, element, states, clear } = await loaded()
  tell("play")
  await clock.move(50)
  clear()
  element.readyState = 2
  element.say("waiting")
  element.say("waiting")
  await clock.move(500)
  assert.deepEqual(states(), ["stalled 0"])
  element.readyState = 4
  element.say("canplay")
  assert.deepEqual(states(), ["stalled 0", "recovered 0"])
})

test("F96: what stops by itself is no answer, and an end is told once", async () => {
  const { tell, clock, element, states, clear } = await loaded({ duration: 11 })
  tell("play")
  await clock.move(50)
  clear()
  element.pause()
  await clock.move(1)
  assert.deepEqual(states(), ["paused 0"])
  tell("play")
  await clock.move(50)
  clear()
  element.currentTime = 11
  element.say("ended")
  element.say("ended")
  assert.deepEqual(states().filter((each) => each.startsWith("ended")), ["ended 0"])
})

test("F96: an element that wants a touch first is no failure, and plays after it", async () => {
  const { tell, clock, element, states, refusals, renderer } = await loaded()
  element.mayPlay = false
  tell("play")
  await clock.move(100)
  assert.deepEqual([states(), refusals()], [[], 1])
  element.mayPlay = true
  await renderer.unlock()
  await clock.move(50)
  assert.deepEqual(states().slice(0, 1), ["playing 2"])
})

test("F96: a touch before there is a film counts, and nothing plays because of it", async () => {
  const { tell, clock, element, states, renderer } = stage()
  element.mayPlay = false
  await assert.rejects(renderer.unlock(), { name: "NotAllowedError" })
  element.mayPlay = true
  await renderer.unlock()
  assert.equal(element.paused, true)
  tell("load", { itemTime: 0 })
  await clock.move(100)
  assert.deepEqual(states(), ["ready 1"])
})

test("F96: a source that cannot be played fails, and one that is let go says nothing more", async () => {
  const { tell, clock, element, states, clear, renderer } = stage()
  tell("load", { itemTime: 0 })
  element.error = { code: 4 }
  element.say("error")
  assert.deepEqual(states(), ["failed 1"])
  clear()
  renderer.close()
  await clock.move(100)
  element.say("ended")
  assert.deepEqual(states(), [])
})
