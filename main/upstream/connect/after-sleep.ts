import type { Socket } from 'node:net'
import { retirePools } from './connections.ts'
import { openSockets } from './connector.ts'

/** After a shorter sleep, in milliseconds, connections mostly live: routers and upstreams forget them later. */
const LONG_SLEEP = 30_000
/** Milliseconds in which a connection that lives says something: the other side sends again what got lost. */
const GRACE = 30_000

/**
 * For when the computer was asleep. Connections that wait for the next call are used no more. Those of calls under
 * way that stay silent are cut, after a long sleep: nobody would ever tell that the other side has forgotten them.
 */
export function wakeUp(slept: number): void {
  retirePools()
  if (slept < LONG_SLEEP) return
  const before = new Map<Socket, number>()
  for (const socket of openSockets()) before.set(socket, socket.bytesRead)
  setTimeout(() => {
    for (const [socket, read] of before) {
      if (!socket.destroyed && socket.bytesRead === read) socket.destroy(new SleptThrough())
    }
  }, GRACE).unref()
}

class SleptThrough extends Error {
  readonly code = 'ECONNRESET'

  constructor() {
    super('the connection was lost while this computer slept')
  }
}
