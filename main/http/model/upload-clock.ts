import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../base/errors.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'

/** Milliseconds that a client may be silent in the middle of its request. */
const SILENCE = 60_000
/** Milliseconds that the refusal has to reach the client before its connection is closed. */
const FAREWELL = 2_000

const stalled = (silence: number): GatewayError =>
  new GatewayError('request_timeout', {
    message: `Nothing more of the request came for ${silence / 1000} seconds. Send it again.`,
    reason: { code: 'request_stalled', seconds: silence / 1000 },
  })

const dripped = (longest: number): GatewayError =>
  new GatewayError('request_timeout', {
    message: `The request body took longer than ${longest / 1000} seconds. Send it again, faster.`,
    reason: { code: 'request_slow', seconds: longest / 1000 },
  })

/**
 * Ends a request whose client stalls in the middle of its body, or takes longer than `longest` for all of it:
 * `onStall` is told with `request_timeout`, and soon after that the connection is closed. What waits because we
 * do not read on is no stall. Times are milliseconds.
 */
export function watchUpload(
  request: IncomingMessage,
  onStall: (error: GatewayError) => void,
  { silence = SILENCE, longest = Infinity }: { silence?: number; longest?: number } = {},
): void {
  if (request.complete) return
  const begun = performance.now()
  let last = begun
  let isTold = false
  const clock: Ticking = {
    slot: -1,
    tick(now) {
      if (request.complete || request.destroyed) {
        ticker.remove(clock)
        return
      }
      if (isTold) {
        if (now - last < FAREWELL) return
        ticker.remove(clock)
        request.destroy()
        return
      }
      const isLate = now - begun >= longest
      if (!isLate && request.isPaused()) last = now
      else if (isLate || now - last >= silence) {
        isTold = true
        last = now
        onStall(isLate ? dripped(longest) : stalled(silence))
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
