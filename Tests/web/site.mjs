// A web server of tests, and a film for it.

import { spawnSync } from "node:child_process"
import fs from "node:fs"
import http from "node:http"
import os from "node:os"
import path from "node:path"
import { root, web } from "./module.mjs"

const TYPES = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".webm": "video/webm",
}

/** Serves the package, at "/" a page, and a film, with ranges; the address. */
export async function serve(film, page) {
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname
    if (name === "/") return void response.writeHead(200, { "Content-Type": "text/html" }).end(page())
    const places = { "/film.webm": film, "/unisono/unisono.wasm": path.join(web, "unisono.wasm") }
    const file = places[name] ?? path.join(root, "bindings/web", path.normalize(name).replace(/^\/unisono\//, ""))
    if (!fs.existsSync(file) || !TYPES[path.extname(file)]) return void response.writeHead(404).end()
    const bytes = fs.readFileSync(file)
    const head = { "Content-Type": TYPES[path.extname(file)], "Accept-Ranges": "bytes" }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "")
    if (!range) return void response.writeHead(200, { ...head, "Content-Length": bytes.length }).end(bytes)
    const [start, end] = [Number(range[1]), range[2] ? Number(range[2]) : bytes.length - 1]
    response.writeHead(206, { ...head, "Content-Length": end - start + 1, "Content-Range": `bytes ${start}-${end}/${bytes.length}` })
    response.end(bytes.subarray(start, end + 1))
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { origin: `http://127.0.0.1:${server.address().port}`, end: () => server.close() }
}

/** Two minutes of a test picture and a tone, made by ffmpeg: where it is. */
export function aFilm() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "unisono-film-"))
  const film = path.join(folder, "film.webm")
  const made = spawnSync("ffmpeg", [
    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine", "-t", "120", "-c:v", "libvpx",
    "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k", "-g", "25", "-c:a", "libopus", "-b:a", "48k", film])
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.stderr}`)
  return { path: film, end: () => fs.rmSync(folder, { recursive: true }) }
}
