import { readObject } from '../../components/forms/read-object.ts'
import type { CallRecord } from '../../gateway/records.ts'
import { type RouteFacts, readRoute } from './route-facts.ts'

/** What a ledger row says, with null for what nobody knows: a page never shows such a number as 0. */
export interface CallFacts {
  /** What the row tells of when it is no call: a credit, a change, the account, a refund. */
  event: EventType | null
  failed: boolean
  cancelled: boolean
  /** HTTP status the client saw. */
  status: number | null
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  cacheWriteTokens: number | null
  /** What became of its cache marks at Google; null where nothing was to become of any. */
  cache: CacheFacts | null
  reasoningTokens: number | null
  /** What else the vendor counted, in the order of the list below. */
  counted: { kind: CountedKind; count: number }[]
  /** The tokens were counted from the bytes, not reported by the vendor. */
  estimated: boolean
  /** Quota units; null when unknown. */
  quota: number | null
  unpriced: boolean
  /** Milliseconds to the first token. */
  firstToken: number | null
  /** Milliseconds from request to end. */
  duration: number | null
  format: string | null
  /** The wire format at the vendor, where it is another than the client's. */
  upstreamFormat: string | null
  /** What the conversion left out or changed: `dropped seed: why`. */
  losses: string[]
  path: string | null
  upstreamModel: string | null
  errorCode: string | null
  /** Ids of the channels tried, in order. */
  tried: string[]
  /** How its channel was found. */
  route: RouteFacts | null
  /** It is a call whose row should tell that, and does not: it is older than such notes. */
  routeMissing: boolean
}

/** A cache at Google, as the call found or made it. */
export interface CacheFacts {
  action: 'made' | 'used' | 'extended' | 'none'
  tokens: number | null
  /** Seconds for which it is kept from its last use on. */
  ttl: number | null
  /** US dollars for keeping it so long; null where the price is not known. */
  storage: number | null
  /** Why there is none. */
  why: string
}

/** Types of ledger rows that are no calls (management-api §9). */
export const eventTypes = [1, 3, 4, 6] as const

type EventType = (typeof eventTypes)[number]

/** What is sold by something else than the token, and shares of the tokens, under the ledger's names. */
const countedKinds = [
  'seconds',
  'characters',
  'images',
  'search_units',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
  'compaction_input',
  'compaction_output',
  'web_search_call_count',
  'responses',
] as const
export type CountedKind = (typeof countedKinds)[number]

const consumeType = 2
const errorType = 5

/** Reads the ledger's fixed fields and the JSON text in `other`. */
export function readCallFacts(call: CallRecord): CallFacts {
  const other = readObject(call.other)
  const number = (key: string) => {
    const value = other[key]
    return typeof value === 'number' ? value : null
  }
  const text = (key: string) => {
    const value = other[key]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const errorCode = text('error_code')
  const isCall = call.type === consumeType || call.type === errorType
  const usageKnown = other.usage_unknown !== true && call.type === consumeType
  const counted = countedKinds.flatMap((kind) => {
    const count = number(kind)
    return count === null ? [] : [{ kind, count }]
  })
  // Sound and pictures are often not counted in tokens at all: 0 would be a number that nobody told.
  const hasTokens = call.prompt_tokens + call.completion_tokens > 0 || counted.length === 0
  const tokensKnown = usageKnown && hasTokens
  const route = readRoute(other.admin_info)
  const tried = readTried(other.admin_info)

  return {
    event: eventTypes.find((type) => type === call.type) ?? null,
    failed: isCall && (errorCode !== null || call.type !== consumeType),
    cancelled: other.cancelled === true,
    status: call.status || null,
    inputTokens: tokensKnown ? call.prompt_tokens : null,
    outputTokens: tokensKnown ? call.completion_tokens : null,
    cachedTokens: tokensKnown ? number('cache_tokens') : null,
    cacheWriteTokens: tokensKnown ? number('cache_creation_tokens') : null,
    cache: readCache(other),
    reasoningTokens: tokensKnown ? number('reasoning_tokens') : null,
    counted,
    estimated: other.estimated === true,
    quota: usageKnown ? call.quota : null,
    unpriced: other.unpriced === true,
    firstToken: number('frt'),
    duration: isCall ? call.use_time_ms : null,
    format: text('wire_format'),
    upstreamFormat: text('upstream_format'),
    losses: readLosses(other.loss),
    path: text('request_path'),
    upstreamModel: other.is_model_mapped === true ? text('upstream_model_name') : null,
    errorCode,
    tried,
    route,
    routeMissing: route === null && tried.length > 0,
  }
}

function readCache(other: Record<string, unknown>): CacheFacts | null {
  const cache = other.explicit_cache as Record<string, unknown> | null | undefined
  const { action, tokens, ttl, extended, why } = cache ?? {}
  if (action !== 'made' && action !== 'used' && action !== 'none') return null
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
  return {
    action: action === 'used' && extended === true ? 'extended' : action,
    tokens: numberOf(tokens),
    ttl: numberOf(ttl),
    storage: numberOf(other.cache_storage_cost),
    why: typeof why === 'string' ? why : '',
  }
}

function readLosses(losses: unknown): string[] {
  if (!Array.isArray(losses)) return []
  return losses.map((loss: { path?: unknown; kind?: unknown; note?: unknown }) =>
    [`${loss?.kind} ${loss?.path}`, loss?.note].filter(Boolean).join(': '),
  )
}

function readTried(info: unknown): string[] {
  const tried = (info as { use_channel?: unknown } | null | undefined)?.use_channel
  return Array.isArray(tried) ? tried.map(String) : []
}
