import { readObject } from '../../components/forms/read-object.ts'
import type { CallRecord } from '../../gateway/records.ts'
import type { GatewaySentence } from '../../i18n/sentence-of.ts'
import { type LossFacts, readLosses, readReason } from './loss-facts.ts'
import { type RouteFacts, readRoute } from './route-facts.ts'

/** A ledger row; null is unknown, so that the page never shows it as 0. */
export interface CallFacts {
  failed: boolean
  cancelled: boolean
  /** The stream broke off, or its reader left: nobody saw its end. */
  cut: boolean
  /** HTTP status that the client got. */
  status: number | null
  inputTokens: number | null
  outputTokens: number | null
  cachedTokens: number | null
  cacheWriteTokens: number | null
  /** Google's explicit cache; null when the call asked for none. */
  cache: CacheFacts | null
  reasoningTokens: number | null
  /** Usage in other units, in the order of `countedKinds`. */
  counted: { kind: CountedKind; count: number }[]
  /** Tokens were estimated from the bytes, not reported by the vendor. */
  estimated: boolean
  /** Quota units; null when unknown. */
  quota: number | null
  unpriced: boolean
  /** The vendor's service tier, where it isn't the standard one. */
  tier: string | null
  /** Its price isn't known: the cost is that of the standard one. */
  tierUnpriced: boolean
  /** The model has no price: the cost is that of all such models, which the user accepted. */
  priceUnset: boolean
  /** The models one of which answered in place of the one that was asked for, and has its price. */
  answeredBy: string[]
  /** The vendor refused before it said anything, and bills nothing. */
  unbilled: boolean
  /** What the image tool used is not in the cost. */
  imageToolUnpriced: boolean
  /** Time to first token, in milliseconds. */
  firstToken: number | null
  /** Milliseconds from request to end. */
  duration: number | null
  format: string | null
  /** Null when it is the client's format. */
  upstreamFormat: string | null
  /** Conversion losses of the last attempt. */
  losses: LossFacts[]
  path: string | null
  /** The token's alias that the client asked by; null when it asked for the model itself. */
  askedModel: string | null
  upstreamModel: string | null
  errorCode: string | null
  /** The row’s sentence by code; null where there is only English, or a vendor’s own sentence. */
  errorReason: GatewaySentence['reason']
  /** Request id of the call that this one repeats. */
  replayOf: string | null
  /** Ids of the channels, in order. */
  tried: string[]
  /** User agent, and the id of the agent’s session. */
  client: string | null
  session: string | null
  /** Method of a refused request; null for a call. */
  method: string | null
  hint: string | null
  hintReason: GatewaySentence['reason']
  /** How many refused requests like it came right after it and have no row of their own. */
  more: number | null
  route: RouteFacts | null
  /** A call older than route records, which therefore has none. */
  routeMissing: boolean
}

/** An explicit cache at Google that the call created, used or extended. */
export interface CacheFacts {
  action: 'made' | 'used' | 'extended' | 'none'
  tokens: number | null
  /** Seconds after its last use. */
  ttl: number | null
  /** Storage cost in US dollars; null when the price is unknown. */
  storage: number | null
  /** The reason for `none`. */
  why: GatewaySentence
}

/** Units other than tokens, and shares of the tokens, by their names in the ledger. */
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
  'image_tool_tokens',
  'responses',
] as const
export type CountedKind = (typeof countedKinds)[number]

const consumeType = 2
const errorType = 5

/** Error codes of streams whose end nobody saw. */
const cutCodes = new Set(['upstream_cut', 'client_gone', 'gateway_ended', 'call_stopped'])
/** The client had left. */
export const clientGone = 499

/** Reads the ledger's columns and the JSON text in `other`. */
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
  // Audio and images are often not counted in tokens: 0 would be a number that nobody reported.
  const hasTokens = call.prompt_tokens + call.completion_tokens > 0 || counted.length === 0
  const tokensKnown = usageKnown && hasTokens
  const route = readRoute(other.admin_info)
  const tried = readTried(other.admin_info)

  return {
    failed: isCall && (errorCode !== null || call.type !== consumeType),
    cancelled: other.cancelled === true,
    cut: cutCodes.has(errorCode ?? '') || (call.status === clientGone && number('frt') !== null),
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
    tier: text('service_tier'),
    tierUnpriced: other.service_tier_factor === null,
    priceUnset: other.price_source === 'unset',
    answeredBy: readNames(other.answered_models).filter((name) => name !== call.model_name),
    unbilled: other.unbilled === true,
    imageToolUnpriced: (number('image_tool_tokens') ?? 0) > 0,
    firstToken: number('frt'),
    duration: isCall ? call.use_time_ms : null,
    format: text('wire_format'),
    upstreamFormat: text('upstream_format'),
    losses: readLosses(other.loss),
    path: text('request_path'),
    askedModel: text('asked_model'),
    upstreamModel: other.is_model_mapped === true ? text('upstream_model_name') : null,
    errorCode,
    errorReason: readReason(other.error_reason),
    replayOf: text('replay_of'),
    tried,
    client: text('client'),
    session: text('session'),
    method: text('method'),
    hint: text('hint'),
    hintReason: readReason(other.hint_reason),
    more: number('more'),
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
    why: { message: typeof why === 'string' ? why : '', reason: readReason(cache?.reason) },
  }
}

const readNames = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

function readTried(info: unknown): string[] {
  const tried = (info as { use_channel?: unknown } | null | undefined)?.use_channel
  return Array.isArray(tried) ? tried.map(String) : []
}
