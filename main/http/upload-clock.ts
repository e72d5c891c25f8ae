import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../base/errors.ts'
import { type Ticking, ticker } from '../base/ticker.ts'

/** Milliseconds that a client may be silent in the middle of its request. */
const SILENCE = 60_000
/** Milliseconds that the refusal has to reach the client before its connection is closed. */
const FAREWELL = 2_000

const stalled = (silence: number): GatewayError =>
  new GatewayError('request_timeout', {
    message: `Nothing more of the request came for ${silence / 1000} seconds. Send it again.`,
  })

/**
 * Ends a request whose client stalls in the middle of its body: `onStall` is told with `request_timeout`, and
 * soon after that the connection is closed. What waits because we do not read on is no stall.
 */
export function watchUpload(
  request: IncomingMessage,
  onStall: (error: GatewayError) => void,
  silence = SILENCE,
): void {
  if (request.complete) return
  let last = performance.now()
  let isTold = false
  const clock: Ticking = {
    slot: -1,
    tick(now) {
      if (request.complete || request.destroyed) ticker.remove(clock)
      else if (isTold) {
        if (now - last < FAREWELL) return
        ticker.remove(clock)
        request.destroy()
      } else if (request.isPaused()) last = now
      else if (now - last >= silence) {
        isTold = true
        last = now
        onStall(stalled(silence))
      }
    },
  }
  request.on('data', () => {
    if (!isTold) last = performance.now()
  })
  // At once, not at the next look: what it keeps alive until then, thousands of bodies a second, makes collections dear.
  request.once('end', () => ticker.remove(clock))
  ticker.add(clock)
}
