import type { Failure } from './failure.ts'
import { statuses } from './vendor-codes.ts'

/** Rank of a failure whose vendor says when to try again. */
export const HINTED = 3

/** A failure that a client may be told, with how much the client can do with it. */
export interface RankedFailure {
  failure: Failure
  /** 0 to 4: the more, the better to tell it. */
  rank: number
}

const isPassingStatus = (status: number): boolean =>
  status >= 500 || statuses.passing.some((one) => one === status)

/** `retries`: another channel may help. */
export function usefulness({ kind, status, retryAfter, blame }: Failure, retries: boolean): number {
  // Nothing was even sent.
  if (kind === 'unfit') return 0
  // It is about the call itself: every other channel would have refused it.
  if (!retries) return 4
  if (retryAfter !== null) return HINTED
  // Only the owner can do something about a key, a model or an account.
  const isOfChannel = kind === 'misconfigured' || kind === 'locked'
  const isPassing = status === null ? !isOfChannel : isPassingStatus(status)
  const isForOwner = blame === 'key' || isOfChannel
  return isPassing && !isForOwner ? 2 : 1
}

/**
 * Is the newer of two failures the one to report? When all attempts have failed, a client is told the most useful
 * failure: one that is final, else the one with the shortest retry hint, else one that may pass, else one that the
 * owner has to mend; of equals the last. A call that does not fit the channel's wire format comes last, and of
 * these the first.
 */
export function isMoreUseful(newer: RankedFailure, best: RankedFailure | null): boolean {
  if (best === null || newer.rank !== best.rank) return best === null || newer.rank > best.rank
  if (newer.rank === 0) return false
  return (newer.failure.retryAfter ?? 0) <= (best.failure.retryAfter ?? Infinity)
}
