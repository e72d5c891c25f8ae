import { type Fault, fails, toldStatus } from './fault.ts'
import { JSON_TYPE, sendWhole } from './raw-answer.ts'
import { sentenceOf, vendorError } from './vendor-answer.ts'

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Every status that servers, and the networks before them, refuse with. */
export const refusalStatuses: readonly number[] = [
  ...range(400, 418),
  ...range(421, 431),
  451,
  ...range(499, 511),
  ...range(520, 529),
]

/** Another vendor would say the same of the request itself (400), or the client was too slow for it (408). */
const isNeverRetried = (status: number): boolean => status === 400 || status === 408
/** It is the channel's key that is refused. */
const isOfKey = (status: number): boolean => status === 401 || status === 403

/** A refusal of every status in the vendor's own words. */
export const statusFaults: readonly Fault[] = refusalStatuses.map((status) => ({
  name: `status ${status}`,
  play: (exchange, { upstream }) =>
    sendWhole(exchange, status, JSON_TYPE, JSON.stringify(vendorError(upstream, status))),
  expected: (scene) =>
    fails(toldStatus(scene, status), {
      says: sentenceOf(status),
      isRetried: !isNeverRetried(status),
      ...(isOfKey(status) ? { isFinal: true } : {}),
    }),
}))

interface Hint {
  name: string
  headers(): Record<string, string>
  wait: readonly [number, number]
}

const hints: readonly Hint[] = [
  { name: 'in seconds', headers: () => ({ 'retry-after': '7' }), wait: [7, 7] },
  {
    name: 'as a date',
    headers: () => ({ 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
    wait: [20, 31],
  },
  { name: 'in milliseconds', headers: () => ({ 'retry-after-ms': '1500' }), wait: [1, 2] },
]

const hintFaults: Fault[] = [429, 503, 529].flatMap((status) =>
  hints.map((hint) => ({
    name: `status ${status} with a wait ${hint.name}`,
    play: (exchange, { upstream }) =>
      sendWhole(
        exchange,
        status,
        { ...JSON_TYPE, ...hint.headers() },
        JSON.stringify(vendorError(upstream, status)),
      ),
    expected: (scene) =>
      fails(toldStatus(scene, status), { says: sentenceOf(status), wait: hint.wait }),
  })),
)

const googleWait: Fault = {
  name: 'Google’s RetryInfo',
  upstream: 'generate-content',
  play: (exchange) =>
    sendWhole(
      exchange,
      429,
      JSON_TYPE,
      JSON.stringify(
        vendorError('generate-content', 429, [
          { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' },
        ]),
      ),
    ),
  expected: (scene) => fails(toldStatus(scene, 429), { says: sentenceOf(429), wait: [12, 12] }),
}

const googleKey: Fault = {
  name: 'Google’s 400 for a bad key',
  upstream: 'generate-content',
  play: (exchange) =>
    sendWhole(
      exchange,
      400,
      JSON_TYPE,
      JSON.stringify(
        vendorError('generate-content', 400, [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
        ]),
      ),
    ),
  expected: () => fails(502, { says: sentenceOf(400), isFinal: true }),
}

/** Refusals that say when to come again, and those of a key that do not say so by their status. */
export const hintedFaults: readonly Fault[] = [...hintFaults, googleWait, googleKey]
