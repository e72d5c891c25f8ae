import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../../main/relay/failure/failure.ts'
import {
  isMoreUseful,
  type RankedFailure,
  usefulness,
} from '../../../../main/relay/failure/usefulness.ts'

/** The failure that a client is told when its attempts failed so, one after the other. */
function toldOf(...failures: (Partial<Failure> & { isFinal?: boolean })[]): number | undefined {
  let best: (RankedFailure & { at: number }) | null = null
  for (const [at, { isFinal = false, ...fields }] of failures.entries()) {
    const failure = {
      ...{ kind: 'refusal', status: 500, retryAfter: null, blame: null },
      ...fields,
    }
    const rank = usefulness(failure as Failure, !isFinal)
    const ranked = { failure: failure as Failure, rank, at }
    if (isMoreUseful(ranked, best)) best = ranked
  }
  return best?.at
}

const limited = (retryAfter: number | null): Partial<Failure> => ({ status: 429, retryAfter })
const ofKey: Partial<Failure> = { status: 401, blame: 'key' }
const unfit: Partial<Failure> = { kind: 'unfit', status: null }

describe('when every channel failed, a client is told', () => {
  test.each([
    [
      'a refusal of the call itself rather than a rate limit',
      [{ isFinal: true, status: 400 }, limited(5)],
      0,
    ],
    ['the rate limit that ends first', [limited(30), limited(5), limited(60)], 1],
    ['the last of the rate limits that end together', [limited(5), limited(5)], 1],
    ['a rate limit with an end rather than one without', [limited(60), limited(null)], 0],
    ['a passing failure rather than one for the owner', [{ status: 503 }, ofKey], 0],
    ['the last of the passing failures', [{ status: 500 }, { status: 503 }], 1],
    ['an upstream’s refusal rather than that its format cannot hold the call', [ofKey, unfit], 0],
    ['of formats that cannot hold the call the first', [unfit, unfit], 0],
  ] as const)('%s', (_, failures, at) => {
    expect(toldOf(...failures)).toBe(at)
  })
})
