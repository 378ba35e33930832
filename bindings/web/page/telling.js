// What the pages tell their person: what is so, what has happened, and what cannot be done; and the secret behind their address.
//
// SPDX-License-Identifier: Apache-2.0

export const byId = (id) => document.getElementById(id)
/** How long news stays, ms: then it is none. */
const NEWS = 15_000
/** Ends of what is told: by the line that it stands in. */
const newsTimers = new Map()

/** What is so; it stands until something else is. */
export const say = (text) => { byId("status").textContent = text }

/** What has happened. */
export function announce(text, line = "news") {
  clearTimeout(newsTimers.get(line))
  byId(line).textContent = text
  newsTimers.set(line, setTimeout(() => { byId(line).textContent = "" }, NEWS))
}

/** Does what was asked for, or says why not. */
export async function attempt(act) {
  try {
    await act()
  } catch (error) {
    warn(error.message)
  }
}

export function warn(text) {
  byId("warning").textContent = text
  byId("warning").hidden = text === ""
}

/** An invite, or the link of an audience; "": there is none. */
export function behindHash() {
  try {
    return decodeURIComponent(location.hash.slice(1))
  } catch {
    return ""
  }
}
