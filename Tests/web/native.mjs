// A native participant of tests: native_guest.py over the library that was built, told in lines and heard in lines.

import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { createInterface } from "node:readline"
import { root } from "./module.mjs"

const LIBRARY = process.env.UNISONO_LIBRARY ?? path.join(root, "build/libunisono.so")

/** Why there is none; false: there is. */
export const lacking = () => (fs.existsSync(LIBRARY) ? false : `${LIBRARY} is not built; run \`make library\` first`)

/** One that joins by an invite, or begins a session at the hub of a line, in which all command unless `control` says otherwise. */
export function aNative(inviteOrHub, item, control = "EVERYONE") {
  const native = spawn("python3", [path.join(root, "Tests/web/native_guest.py"), inviteOrHub, item, control], {
    env: { ...process.env, UNISONO_LIBRARY: LIBRARY, PYTHONPATH: path.join(root, "bindings/python") }, stdio: ["pipe", "pipe", "inherit"],
  })
  const lines = []
  let wake = () => {}
  createInterface({ input: native.stdout }).on("line", (line) => {
    lines.push(line)
    wake()
  })
  return {
    tell: (line) => native.stdin.write(`${line}\n`),
    /** The next line that begins so. */
    hear: async (start) => {
      for (;;) {
        const at = lines.findIndex((line) => line.startsWith(start))
        if (at >= 0) return lines.splice(at, 1)[0]
        await new Promise((resolve, reject) => {
          const late = setTimeout(() => reject(new Error(`the native one does not say "${start}": ${lines}`)), 30_000)
          wake = () => { clearTimeout(late); resolve() }
        })
      }
    },
    end: () => native.kill(),
  }
}
