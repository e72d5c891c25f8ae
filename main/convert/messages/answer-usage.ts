import type { Usage, UsageDetail } from '../exchange.ts'
import { asCount, asObject } from '../json-value.ts'
import { addCachedInput, readMessagesUsage } from './usage.ts'

type Fields = Record<string, unknown>

/** Fields of `usage` that the neutral usage has a place for. */
const known = new Set([
  'input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
  'cache_creation',
  'output_tokens_details',
  'server_tool_use',
  'service_tier',
])

/**
 * A stream's usage up to now: each event tells whole sums, so the last value of a field counts. A zero after
 * a figure is no news: some upstreams fill in what they do not know.
 */
export function mergeUsage(before: Fields, next: Fields): Fields {
  const merged = { ...before }
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue
    if (value === 0 && typeof merged[name] === 'number') continue
    merged[name] = value
  }
  return merged
}

/** A `usage` object in neutral counting; null where it tells nothing. */
export function decodeUsage(usage: Fields | undefined): Usage | null {
  const read = usage && readMessagesUsage({ usage })
  if (!read || Object.keys(read).length === 0) return null
  const none = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  const whole = addCachedInput({ ...none, ...read })
  const tools = asObject(usage.server_tool_use)
  const cacheWrite1h = asCount(asObject(usage.cache_creation)?.ephemeral_1h_input_tokens)
  const webSearches = asCount(tools?.web_search_requests)
  const webFetches = asCount(tools?.web_fetch_requests)
  const detail: UsageDetail = {
    ...(cacheWrite1h ? { cacheWrite1h } : {}),
    ...(webSearches ? { webSearches } : {}),
    ...(webFetches ? { webFetches } : {}),
  }
  return Object.keys(detail).length > 0 ? { ...whole, detail } : whole
}

/** What else `usage` holds, under `usage.<name>`: the place, the speed, a compaction's own figures. */
export function usageExtras(usage: Fields | undefined): Fields {
  const extras: Fields = {}
  for (const [name, value] of Object.entries(usage ?? {})) {
    if (!known.has(name) && value !== null) extras[`usage.${name}`] = value
  }
  if (usage?.speed === 'fast') extras['usage.service_tier'] = usage.service_tier ?? null
  return extras
}

/** The extras of `usageExtras` under their own names again. */
export function extrasOf(fields: Fields): Fields {
  const extras: Fields = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith('usage.')) extras[name.slice('usage.'.length)] = value
  }
  return extras
}

/** `message_delta`'s usage. `input_tokens` leaves the caches out, as the vendor's does. */
export function encodeDeltaUsage(usage: Usage): Fields {
  const { input, cachedInput, cacheWrite, output, reasoning, detail } = usage
  const hasServerTools = detail?.webSearches !== undefined || detail?.webFetches !== undefined
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cachedInput,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
    server_tool_use: hasServerTools
      ? {
          web_search_requests: detail?.webSearches ?? 0,
          web_fetch_requests: detail?.webFetches ?? 0,
        }
      : null,
  }
}

/** A message's usage, with every field that the vendor's has. */
export function encodeUsage(usage: Usage, serviceTier: string | undefined): Fields {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, ...rest } =
    encodeDeltaUsage(usage)
  const hour = usage.detail?.cacheWrite1h ?? 0
  return {
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation: {
      ephemeral_5m_input_tokens: Math.max(0, usage.cacheWrite - hour),
      ephemeral_1h_input_tokens: hour,
    },
    ...rest,
    service_tier: tierWord(serviceTier),
    inference_geo: null,
    speed: serviceTier === 'fast' ? 'fast' : null,
  }
}

/** Anthropic answers `standard`, `priority` or `batch`; OpenAI's word for the first is `default`. */
function tierWord(serviceTier: string | undefined): string | null {
  if (serviceTier === 'default' || serviceTier === 'standard') return 'standard'
  return serviceTier === 'priority' || serviceTier === 'batch' ? serviceTier : null
}

/** The tier that served an answer, in the exchange's word. */
export function decodeTier(usage: Fields | undefined): { serviceTier?: string } {
  if (usage?.speed === 'fast') return { serviceTier: 'fast' }
  const tier = usage?.service_tier
  if (typeof tier !== 'string') return {}
  return { serviceTier: tier === 'standard' ? 'default' : tier }
}
