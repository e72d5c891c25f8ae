import type { Usage } from '../exchange.ts'
import { asCount, asObject } from '../json-value.ts'

/**
 * Usage of a Messages answer, `message_start` or `message_delta`. Anthropic's `input_tokens` leaves
 * out both cache parts (https://docs.anthropic.com/en/api/messages), so the three are added up.
 * A field that an event leaves out stays out, so that the other event's value holds: the last value
 * of each field counts, and the two events are never added.
 */
export function readMessagesUsage(answer: unknown): Partial<Usage> | null {
  const body = asObject(answer)
  const usage = asObject(body?.usage) ?? asObject(asObject(body?.message)?.usage)
  if (!usage) return null
  const plain = asCount(usage.input_tokens)
  const read = asCount(usage.cache_read_input_tokens)
  const written = asCount(usage.cache_creation_input_tokens)
  const output = asCount(usage.output_tokens)
  const thinking = asCount(asObject(usage.output_tokens_details)?.thinking_tokens)
  return {
    ...(plain === undefined ? {} : { input: plain }),
    ...(read === undefined ? {} : { cachedInput: read }),
    ...(written === undefined ? {} : { cacheWrite: written }),
    ...(output === undefined ? {} : { output }),
    ...(thinking === undefined ? {} : { reasoning: thinking }),
  }
}

/** Adds the cache parts to the input once all events have been merged. */
export const addCachedInput = (usage: Usage): Usage => ({
  ...usage,
  input: usage.input + usage.cachedInput + usage.cacheWrite,
})
