// Waiting in tests for what another process does.

/** Done when `holds` does, looked at so often, ms; `describe` says what there is if it does not in time. */
export async function until(what, holds, { limit = 30_000, every = 50, describe = () => "" } = {}) {
  const end = Date.now() + limit
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}\n${describe()}`)
    await new Promise((resolve) => setTimeout(resolve, every))
  }
}
