import type { Usage } from '../../exchange.ts'
import { innerFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { compactionOf } from './usage.ts'

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

/** Further fields of `usage`, under `usage.<name>`: the place, the speed, a compaction's own figures. */
export function usageExtras(usage: JsonObject | undefined): JsonObject {
  const extras = innerFields('usage', usage, known)
  if (usage?.speed === 'fast') extras['usage.service_tier'] = usage.service_tier ?? null
  return extras
}

/** The extras of `usageExtras` under their own names again. */
export function extrasOf(fields: JsonObject): JsonObject {
  const extras: JsonObject = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name.startsWith('usage.')) extras[name.slice('usage.'.length)] = value
  }
  return extras
}

/** The usage without the compactions that stand in `iterations`, where the client is told these as they came. */
function besideIterations(usage: Usage, extras: JsonObject): Usage {
  const compaction = compactionOf(extras)
  if (!compaction) return usage
  return {
    ...usage,
    input: usage.input - compaction.input,
    cachedInput: usage.cachedInput - compaction.cachedInput,
    cacheWrite: usage.cacheWrite - compaction.cacheWrite,
    output: usage.output - compaction.output,
  }
}

/**
 * `message_delta`'s usage. `input_tokens` leaves the caches out, as the vendor's does. `extras` are a vendor's own
 * fields of this format.
 */
export function encodeDeltaUsage(whole: Usage, extras: JsonObject = {}): JsonObject {
  const usage = besideIterations(whole, extras)
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
    ...extras,
  }
}

/** A message's usage, with every field that the vendor's has. */
export function encodeUsage(
  usage: Usage,
  serviceTier: string | undefined,
  extras: JsonObject = {},
): JsonObject {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, ...rest } =
    encodeDeltaUsage(usage, extras)
  const hour = usage.detail?.cacheWrite1h ?? 0
  return {
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation: {
      ephemeral_5m_input_tokens: Math.max(0, Number(cache_creation_input_tokens) - hour),
      ephemeral_1h_input_tokens: hour,
    },
    ...rest,
    service_tier: tierWord(serviceTier),
    inference_geo: null,
    speed: serviceTier === 'fast' ? 'fast' : null,
    ...extras,
  }
}

/** Anthropic answers `standard`, `priority` or `batch`; OpenAI's word for the first is `default`. */
function tierWord(serviceTier: string | undefined): string | null {
  if (serviceTier === 'default' || serviceTier === 'standard') return 'standard'
  return serviceTier === 'priority' || serviceTier === 'batch' ? serviceTier : null
}

/** The tier that served an answer, in the exchange's word. */
export function decodeTier(usage: JsonObject | undefined): { serviceTier?: string } {
  if (usage?.speed === 'fast') return { serviceTier: 'fast' }
  const tier = usage?.service_tier
  if (typeof tier !== 'string') return {}
  return { serviceTier: tier === 'standard' ? 'default' : tier }
}
