import type http from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { promises as timers } from 'node:timers'
import { GatewayError } from '../../base/errors.ts'
import type { OpenCalls } from '../../relay/limits/open-calls.ts'

/** Milliseconds in which calls that were interrupted are booked. */
const BOOKING = 500
/**
 * Milliseconds in which a slow client may take what was written to it: the first in any case, up to the second
 * of what calls have left of their time.
 */
const SENDING = 800
const LONGEST_SENDING = 3_000
/** Milliseconds between two looks at whether it has. */
const PAUSE = 40
/** Seconds after which a client had better try again: by then the gateway that follows mostly listens. */
const RETRY_AFTER = 5

const stopping = (): GatewayError =>
  new GatewayError('shutting_down', {
    message: 'The gateway is stopping. Try again in a moment.',
    reason: { code: 'gateway_stopping' },
    retryAfter: RETRY_AFTER,
  })

/** The connections of a server: those of WebSockets, which are none of its own any more, included. */
export function followConnections(server: http.Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    // An upgrade that is passed over gives the server its connection again.
    if (connections.has(socket)) return
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return connections
}

/** Waits until all that was written has left this process, at the latest after `limit` milliseconds. */
async function whenSent(connections: ReadonlySet<Socket>, limit: number): Promise<void> {
  const until = performance.now() + limit
  // A moment in any case: a call is booked before its last words are written.
  do await timers.setTimeout(PAUSE)
  while (
    performance.now() < until &&
    [...connections].some(({ writableLength }) => writableLength > 0)
  )
}

/**
 * Ends a server that serves calls. While some are under way it goes on listening, so that new ones are told in
 * their own format to come again later; those under way have `limit` milliseconds, or until `openCalls` is
 * hurried, and are then ended with an error in their format. At the end the port is free.
 */
export async function drain(
  server: http.Server,
  connections: ReadonlySet<Socket>,
  openCalls: OpenCalls,
  limit: number,
): Promise<void> {
  const from = performance.now()
  openCalls.refuseNew(stopping())
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await openCalls.whenEmpty(limit)
  // Listening ends, no more: HTTP's own `close` takes a connection for idle, and cuts it, as soon as the
  // end of its answer was written, however much of that has still to be sent.
  NetServer.prototype.close.call(server)
  openCalls.interruptAll(stopping())
  await openCalls.whenEmpty(BOOKING)
  const left = Math.min(limit, LONGEST_SENDING) - (performance.now() - from)
  await whenSent(connections, Math.max(SENDING, left))
  // The rest are idle, silent or unread. WebSockets no longer belong to the server.
  server.closeAllConnections()
  for (const connection of connections) connection.destroy()
  server.close()
}
