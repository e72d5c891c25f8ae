import type { Fault } from './fault.ts'
import type { Verdict } from './retry-rule.ts'

/** Statuses after which the same call may well be answered later, as SDKs see it too. */
const PASSING = new Set([408, 409, 425, 429])

/** What `usefulness` gives a failure whose vendor says when to try again. */
export const HINTED = 3

/** How much a client can do with a failure: the more, the better to tell it. */
export function usefulness({ kind, status, retryAfter }: Fault, verdict: Verdict): number {
  // Nothing was even asked.
  if (kind === 'unfit') return 0
  // What no other channel would have answered either is about the call itself.
  if (!verdict.retries) return 4
  if (retryAfter !== null) return HINTED
  // Of a key, a model or an account only the owner can do something about.
  const isOfChannel = kind === 'misconfigured' || kind === 'locked'
  const isPassing = status === null ? !isOfChannel : PASSING.has(status) || status >= 500
  const isForOwner = verdict.blame === 'key' || isOfChannel
  return isPassing && !isForOwner ? 2 : 1
}

/** A failure that may be told, with what makes it worth telling. */
export interface Ranked {
  rank: number
  fault: Fault
}

/**
 * Is the newer of two failures the one to tell? When all attempts have failed a client is told the most useful
 * failure: one that is final, else the one with the shortest hint of when to try again, else one that may pass,
 * else what its owner has to mend; of equals the last. What a channel's format could not hold comes last, and of
 * these the first.
 */
export function tellsMore(newer: Ranked, told: Ranked | null): boolean {
  if (told === null || newer.rank !== told.rank) return told === null || newer.rank > told.rank
  if (newer.rank === 0) return false
  return (newer.fault.retryAfter ?? 0) <= (told.fault.retryAfter ?? Infinity)
}
