// A hub of tests: the `unisono hub` that was built.

import { spawn } from "node:child_process"
import path from "node:path"
import { root } from "./module.mjs"

export const COMMAND = process.env.UNISONO_COMMAND ?? path.join(root, "build/unisono")

/** One which anybody may open rooms at, unless told otherwise on a free port: its line, and how it is ended. */
export async function aHub(...options) {
  const listen = options.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"]
  const process = spawn(COMMAND, ["hub", "--open", ...listen, ...options], { stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  const line = await new Promise((resolve, reject) => {
    process.stderr.on("data", (bytes) => {
      log += bytes
      const found = /unisono-hub:\/\/[^/\s]+\/[a-z2-7]{26}/.exec(log)
      if (found) resolve(found[0])
    })
    process.on("exit", () => reject(new Error(`the hub ended: ${log}`)))
  })
  const hasEnded = new Promise((resolve) => process.once("exit", resolve))
  const end = (signal) => {
    process.kill(signal)
    return hasEnded
  }
  return { line, end }
}
