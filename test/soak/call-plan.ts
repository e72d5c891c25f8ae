import type { WireFormat } from '../../main/convert/exchange.ts'
import { faults } from '../faults/cells.ts'
import type { Fault } from '../faults/fault.ts'

/** The upstreams of a soak by the first part of their paths, and what each speaks. */
export const upstreamFormats = {
  a: 'chat',
  b: 'messages',
  c: 'generate-content',
} as const satisfies Record<string, WireFormat>

export type UpstreamName = keyof typeof upstreamFormats

/** The tokens of the soak; `tight` is used up on the way. */
export const tokenNames = ['open', 'granted', 'budget', 'tight'] as const

export type TokenName = (typeof tokenNames)[number]

/** One call of the soak; the same for the same number in every process. */
export interface CallPlan {
  client: WireFormat
  stream: boolean
  token: TokenName
  /** Milliseconds after which its client leaves; null where it stays. */
  leavesAfter: number | null
}

/** Each of these happens to one attempt in a hundred. */
const kinds: readonly Fault[] = [
  'reset before headers',
  'reset in headers',
  'reset after headers',
  'no headers in time',
  'silence in the middle',
  'half an event, then the end',
  'cut inside a letter',
  'reset in the middle',
  'no terminal event',
  'content-length too small',
  'truncated gzip, ended',
  'an error as first event',
  'an error in the middle',
  'a web page with 200',
  'a web page with 502',
  'nothing with 200',
  'an error packed with gzip',
  'an error with 200',
  'status 400',
  'status 429',
  'status 500',
  'status 503',
  'status 529',
].map((name) => {
  const fault = faults.find((one) => one.name === name)
  if (!fault) throw new Error(`There is no fault "${name}".`)
  return fault
})

/** A number below `limit` that seems random and is always the same. */
function drawn(seed: number, limit: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return ((mixed ^ (mixed >>> 16)) >>> 0) % limit
}

const clients: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const LONGEST_STAY = 40

/** The behaviour of a call's client. */
export function planOf(number: number): CallPlan {
  const draw = (what: number, limit: number) => drawn(number * 8 + what, limit)
  const token = draw(2, 20)
  return {
    client: clients[draw(0, 4)] as WireFormat,
    stream: draw(1, 2) === 1,
    token: token === 0 ? 'tight' : token < 5 ? 'budget' : token < 12 ? 'granted' : 'open',
    leavesAfter: draw(3, 100) === 0 ? draw(4, LONGEST_STAY) : null,
  }
}

/** The fault of an upstream when this call reaches it; null = none. */
export function faultOf(number: number, upstream: UpstreamName, stream: boolean): Fault | null {
  const place = upstream.charCodeAt(0) - 'a'.charCodeAt(0)
  const fault = kinds[drawn(number * 8 + 5 + place, 100)]
  if (!fault || (fault.only !== undefined && (fault.only === 'stream') !== stream)) return null
  return fault
}

/** The usage that an upstream reports for a call; calls with close numbers all differ. */
export const usageOf = (number: number, upstream: UpstreamName) => ({
  input: 200 + (number % 997),
  output: 20 + (number % 89) + (upstream.charCodeAt(0) - 'a'.charCodeAt(0)) * 100,
})

export const SOAK_MODEL = 'soak-model'
/** Seconds after which a silent upstream is given up. */
export const SILENCE = 1.5
