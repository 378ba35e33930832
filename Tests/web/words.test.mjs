// What the page of bindings/web makes of times, sizes and files of others, without a browser.

import assert from "node:assert/strict"
import test from "node:test"
import { asWebVTT, couldBeSubtitles } from "../../bindings/web/page/subtitles.js"
import { deed, nextTime, place, plain, policy, size, span } from "../../bindings/web/page/words.js"

const bytes = (text) => new TextEncoder().encode(text)

test("F118: times are said in two units, sizes in three digits, and what cannot be seen is shown", () => {
  const spans = [
    [0, "0 s"], [-3, "0 s"], [0.2, "1 s"], [60, "1 min"], [192, "3 min 12 s"], [3599.5, "1 h"], [3660.1, "1 h 2 min"], [90_000, "1 d 1 h"],
  ]
  for (const [seconds, words] of spans) assert.equal(span(seconds), words)
  const sizes = [
    [0, "0 bytes"], [1, "1 byte"], [999, "999 bytes"], [1000, "1 kB"], [9949, "9.9 kB"], [150_000, "150 kB"], [999_600, "1 MB"], [1e8, "100 MB"],
  ]
  for (const [count, words] of sizes) assert.equal(size(count), words)
  assert.deepEqual([59.9, 3723, -1].map(place), ["0:59", "1:02:03", "0:00"])
  assert.equal(plain("a\u202Efdp.exe\n"), "a\uFFFDfdp.exe\uFFFD")
})

test("F132: what starts wait for, and what happens when somebody leaves, is said in a sentence each", () => {
  const said = [
    [{ start: "at-once", limit: 60, leaving: "go-on" }, ""],
    [{ start: "first-when-ready", limit: 90, leaving: "go-on" },
      "The first start of a film waits until all are ready, for 1 min 30 s at most."],
    [{ start: "when-ready", limit: 5, leaving: "go-on" }, "A start waits until all are ready, for 5 s at most."],
    [{ start: "at-once", limit: 60, leaving: "pause" }, "When somebody leaves, the film pauses."],
    [{ start: "when-ready", limit: 600, leaving: "pause" },
      "A start waits until all are ready, for 10 min at most. When somebody leaves, the film pauses."],
  ]
  for (const [given, words] of said) assert.equal(policy(given), words)
})

test("F14, F118: what somebody did is said as native hosts say it", () => {
  const nothing = { amount: 0, rate: 0, text: null, itemTime: null }
  const said = [
    [{ kind: "played" }, "Ann pressed play"], [{ kind: "paused" }, "Ann paused"],
    [{ kind: "skipped", amount: -15.4, itemTime: 3723 }, "Ann sought to 1:02:03"],
    [{ kind: "skipped", amount: -15.4 }, "Ann skipped 15 s back"], [{ kind: "skipped", amount: 15.6 }, "Ann skipped 16 s"],
    [{ kind: "rate-changed", rate: 1.25 }, "Ann set the speed to 1.25\u00D7"], [{ kind: "left-waiting" }, "Gone on without Ann"],
    [{ kind: "range-skipped", text: "credits" }, "The credits were skipped"],
    [{ kind: "range-skipped", text: "intro", itemTime: 90 }, "The intro was skipped, to 1:30"],
    [{ kind: "range-skipped", text: "other", itemTime: 90 }, "A part was skipped, to 1:30"],
    [{ kind: "custom", text: "back in five" }, "Ann: back in five"], [{ kind: "custom" }, ""], [{ kind: "item-changed" }, ""],
  ]
  for (const [notice, words] of said) assert.equal(deed({ ...nothing, ...notice }, "Ann"), words)
})

test("F118: a time of day is the next one, today or tomorrow", () => {
  const now = new Date(2026, 11, 31, 20, 15, 1)
  assert.deepEqual(nextTime("20:16", now), new Date(2026, 11, 31, 20, 16))
  assert.deepEqual(nextTime("20:15", now), new Date(2027, 0, 1, 20, 15))
  assert.deepEqual(nextTime("00:00", now), new Date(2027, 0, 1))
})

test("F118: an attachment is taken for subtitles by name or type, and not if it is too large or empty", () => {
  const file = { name: "film.vtt", type: "", size: 2_000_000 }
  assert.ok(couldBeSubtitles(file))
  assert.ok(couldBeSubtitles({ ...file, name: "Film.SRT" }))
  assert.ok(couldBeSubtitles({ ...file, name: "film", type: "text/vtt" }))
  assert.ok(!couldBeSubtitles({ ...file, size: 2_000_001 }))
  assert.ok(!couldBeSubtitles({ ...file, size: 0 }))
  assert.ok(!couldBeSubtitles({ ...file, name: "film.vtt.html", type: "text/html" }))
})

test("F118: of a file of subtitles the cues are left, from WebVTT and from SubRip, and styles are not", () => {
  const vtt = "\uFEFFWEBVTT a film\r\n\r\nSTYLE\r\n::cue { background: url(https://evil.example/) }\r\n\r\nNOTE by Ann\r\n\r\n" +
    "first\r\n00:01.000 --> 00:02.500 line:0\r\nOne\r\n<b>two</b>\r\n\r\n01:00:00.000 --> 01:00:01.000\r\nThree\r\n"
  assert.equal(asWebVTT(bytes(vtt)).text, "WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:0\nOne\n<b>two</b>\n\n01:00:00.000 --> 01:00:01.000\nThree\n")
  const srt = "1\n00:00:01,000 --> 00:00:02,500\nOne, two\n\n2\n00:00:03,000 --> 00:00:04,000\nThree"
  assert.equal(asWebVTT(bytes(srt)).text, "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nOne, two\n\n00:00:03.000 --> 00:00:04.000\nThree\n")
})

test("F118: what is no text, has no cues or too many of them is no file of subtitles", () => {
  assert.throws(() => asWebVTT(Uint8Array.of(0x57, 0x45, 0xff, 0xfe)), /no subtitles/)
  assert.throws(() => asWebVTT(bytes("<!doctype html>\n\n<script>alert(1)</script>")), /no subtitles/)
  assert.throws(() => asWebVTT(new Uint8Array(2_000_001)), /too large/)
  assert.throws(() => asWebVTT(bytes("00:01.000 --> 00:02.000\nx\n\n".repeat(20_001))), /more lines/)
})

test("F125: subtitles say by their first bytes how they are written; what is no UTF-8 either is a guess that is named", () => {
  const cue = "00:01.000 --> 00:02.000\nl\u2019\u00e9t\u00e9\n"
  const utf16 = [...`\uFEFF${cue}`].map((letter) => letter.charCodeAt(0))
  const written = {
    "UTF-8": bytes(cue),
    "UTF-8 with a mark": bytes(`\uFEFF${cue}`),
    "UTF-16, little end first": Uint8Array.from(utf16.flatMap((code) => [code & 0xff, code >> 8])),
    "UTF-16, big end first": Uint8Array.from(utf16.flatMap((code) => [code >> 8, code & 0xff])),
  }
  const text = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nl\u2019\u00e9t\u00e9\n"
  for (const [how, given] of Object.entries(written)) assert.deepEqual(asWebVTT(given), { text, guess: "" }, how)
  const western = Uint8Array.from([...cue], (letter) => (letter === "\u2019" ? 0x92 : letter.charCodeAt(0)))
  assert.equal(asWebVTT(western).guess, "windows-1252")
  // What says that it is UTF-8 is read as that, whatever else is in it.
  assert.deepEqual(asWebVTT(Uint8Array.of(0xef, 0xbb, 0xbf, ...western)), { text: text.replace(/[\u2019\u00e9]/g, "\uFFFD"), guess: "" })
})

test("F125: cues are shown earlier or later by another cut of the film, and not before its beginning", () => {
  const vtt = bytes("00:01.000 --> 00:02.500 line:0\nOne\n\n2\n99:59:58,900 --> 99:59:59,999\nTwo\n")
  assert.equal(asWebVTT(vtt, 1.5).text,
    "WEBVTT\n\n00:00:02.500 --> 00:00:04.000 line:0\nOne\n\n100:00:00.400 --> 100:00:01.499\nTwo\n")
  assert.equal(asWebVTT(vtt, -1.75).text,
    "WEBVTT\n\n00:00:00.000 --> 00:00:00.750 line:0\nOne\n\n99:59:57.150 --> 99:59:58.249\nTwo\n")
  assert.equal(asWebVTT(vtt, -2.5).text, "WEBVTT\n\n99:59:56.400 --> 99:59:57.499\nTwo\n")
  assert.equal(asWebVTT(bytes("00:01.000 --> 00:02.000\nx"), -3).text, "WEBVTT\n\n", "they were subtitles, of what this copy has not")
})
