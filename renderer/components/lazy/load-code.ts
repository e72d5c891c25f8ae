const reloadedAt = 'switchyard-reloaded-at'

/** Milliseconds within which the page doesn’t load itself anew twice. */
const reloadPause = 60_000

/**
 * Loads code when it’s needed. After an update the files that this page knows are gone; also, a browser may remember that
 * a file was missing. In both cases the whole page is loaded anew, once.
 */
export async function loadCode<Value>(load: () => Promise<Value>): Promise<Value> {
  try {
    return await load()
  } catch (error) {
    const isRecent = Date.now() - Number(sessionStorage.getItem(reloadedAt)) < reloadPause
    if (!isRecent && (await isReachable())) {
      sessionStorage.setItem(reloadedAt, String(Date.now()))
      window.location.reload()
      // Goes on only where the reader has edits and chooses to stay.
      await new Promise((resolve) => setTimeout(resolve, 3000))
    }
    throw error
  }
}

const isReachable = (): Promise<boolean> =>
  fetch(window.location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
