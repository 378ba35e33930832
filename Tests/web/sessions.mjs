// Sessions in WebAssembly through the package of bindings/web in tests, at the `unisono hub` that was built; in node, without a browser.

import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { Session } from "../../bindings/web/unisono.js"
import { FakeElement } from "./element.mjs"
import { aHub, COMMAND } from "./hub.mjs"
import { web } from "./module.mjs"
import { lacking as lackingNative } from "./native.mjs"
import { WebSocket } from "./websocket.mjs"

export const skip = fs.existsSync(COMMAND) ? false : `${COMMAND} is not built; run \`make command\` first`
export const skipNative = skip || lackingNative()
export const module = skip ? undefined : new WebAssembly.Module(fs.readFileSync(path.join(web, "unisono.wasm")))
export const outside = { socket: (address, events) => new WebSocket(address, events) }
export const ITEM = "film:big-buck-bunny"

/** Done when `holds` does, looked at with every event of these; says what there is if it does not in time. */
export function until(what, targets, names, holds, describe = () => "") {
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
export const next = async (target, name) => (await once(target, name, { signal: AbortSignal.timeout(20_000) }))[0].detail

export async function sessions(body) {
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
export async function withPlayers(...all) {
  return Promise.all(all.map(async (session) => {
    const element = new FakeElement()
    const player = await session.attach(element)
    await player.load({ item: ITEM, address: `${session.local}.mp4` })
    return { session, player, element }
  }))
}

/** Two who are in one session, and see each other. */
export async function pair({ host, guest }, options) {
  const one = await host(options)
  await one.join()
  const other = await guest(one.invite)
  await other.join()
  await until("a roster of two", [one, other], ["participants"], () => one.participants.length === 2 && other.participants.length === 2)
  return [one, other]
}
