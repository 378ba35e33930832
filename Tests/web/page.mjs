// The page of bindings/web/page in a browser of tests, as a person uses it.

/** Types a name, and at a page without an invite the line of a hub; done when it is in the session. */
export async function comeIn(page, name, hub) {
  await page.until("the page asks for a name", "!document.querySelector('#entry').hidden")
  await page.fill("#name", name)
  if (hub) await page.fill("#hub", hub)
  await page.touch("#enter")
  await page.until("it is in the session", "!document.querySelector('#room').hidden")
}

/** Moves the slider, as if by a person who lets it go there, s. */
export const choosePlace = (page, place) => page.value(`(() => {
  const slider = document.querySelector("#place")
  slider.value = ${place}
  for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind))
})()`, { isTouch: true })

export const runs = "!document.querySelector('#film').paused && document.querySelector('#film').currentTime > 0.2"
export const stands = "document.querySelector('#film').paused"

/** Where the film is, s, and when that was so, ms since 1970. */
export const position = (page) =>
  page.value("({ place: document.querySelector('#film').currentTime, time: performance.timeOrigin + performance.now() })")
