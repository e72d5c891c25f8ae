/**
 * Milliseconds for a page that is being reloaded to let go of its conversation, and for an answer of another tab where
 * the browser has no locks.
 */
const PATIENCE = 400

/** Lets go of a conversation. */
export type Release = () => void

const nameOf = (id: string): string => `switchyard-conversation-${id}`

/**
 * Takes a conversation for this tab: of two tabs that write the same one, the last would win. Null where another tab
 * has it.
 */
export function claimConversation(id: string): Promise<Release | null> {
  // Browsers have locks in secure contexts alone, so not over plain HTTP from another machine.
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return claimByAsking(id)
  return new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release))
    locks
      .request(nameOf(id), { signal: AbortSignal.timeout(PATIENCE) }, held)
      .catch(() => resolve(null))
  })
}

/** Tabs that have it answer. Of two that ask at once, the one with the smaller number gets it. */
async function claimByAsking(id: string): Promise<Release | null> {
  const own = Math.random()
  const channel = new BroadcastChannel(nameOf(id))
  let hasIt = false
  let isTaken = false
  channel.onmessage = ({ data }: MessageEvent<{ asks?: number }>) => {
    if (data.asks === undefined) isTaken ||= !hasIt
    else if (hasIt || own < data.asks) channel.postMessage({})
  }
  channel.postMessage({ asks: own })
  await new Promise((resolve) => setTimeout(resolve, PATIENCE))
  hasIt = !isTaken
  if (hasIt) return () => channel.close()
  channel.close()
  return null
}
