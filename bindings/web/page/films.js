// Where a film of the group can be had from: who serves the page, if that is a hub with films, or an address that somebody named.
//
// SPDX-License-Identifier: Apache-2.0

/** Where the films are of who serves this page; null: it has none. Behind a key where the page's address has one: then nobody else finds them. */
export async function filmsHere() {
  const key = new URLSearchParams(location.search).get("key")
  const place = new URL(key ? `/media/${encodeURIComponent(key)}/` : "/media/", location.href)
  const answer = await fetch(place, { method: "HEAD" }).catch(() => null)
  return answer?.status === 204 ? place.href : null
}

/** The address of an item there; null: it is not there. Others named it: it is looked for below that place alone. */
export async function addressIn(films, item) {
  if (films === null || item.startsWith(".")) return null
  const address = films + encodeURIComponent(item)
  const answer = await fetch(address, { method: "HEAD" }).catch(() => null)
  return answer?.ok ? address : null
}

/** Those of some addresses that a browser can load a film from. */
export const loadable = (addresses) => addresses.filter((each) => /^https?:/i.test(each) && URL.canParse(each))

/** A button for each address: it is what somebody else says, so it is shown, and loaded only by who chooses it. */
export function buttonsFor(addresses, load) {
  return addresses.map((address) => {
    const button = document.createElement("button")
    button.textContent = `Load it from ${new URL(address).host}`
    button.title = address
    button.onclick = () => load(address)
    return button
  })
}
