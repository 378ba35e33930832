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

/** The package, as `make web` puts it together, in a folder of its own; where it is. */
export function aPackage() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "unisono-page-"))
  fs.cpSync(path.join(root, "bindings/web"), folder, { recursive: true })
  fs.copyFileSync(path.join(web, "unisono.wasm"), path.join(folder, "unisono.wasm"))
  return { path: folder, end: () => fs.rmSync(folder, { recursive: true }) }
}

/**
 * So many seconds of a test picture and a tone, made by ffmpeg: where it is. By one thread: several wait for each other, which costs a busy
 * machine of two processors 16 times as much.
 */
export function aFilm(duration) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "unisono-film-"))
  const film = path.join(folder, "film.webm")
  const made = spawnSync("ffmpeg", [
    "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-f", "lavfi", "-i", "sine", "-t", String(duration), "-c:v", "libvpx",
    "-threads", "1", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k", "-g", "25", "-c:a", "libopus", "-b:a", "48k", film])
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.stderr}`)
  return { path: film, end: () => fs.rmSync(folder, { recursive: true }) }
}
