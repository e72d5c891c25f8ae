import { upstreamError } from '../../errors/upstream-error.ts'
import { wrongAnswer } from '../../errors/wrong-answer.ts'
import type { Part } from '../../exchange.ts'
import type { ExchangeResponse } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString } from '../../json/json-value.ts'
import { ownNative } from '../own-fields.ts'
import { decodeItem } from '../request/decode-item.ts'
import { readResponsesError } from './read-error.ts'
import { decodeStop } from './stop.ts'
import { readResponsesUsage } from './usage.ts'

const known = new Set([
  ...['id', 'object', 'created_at', 'completed_at', 'model', 'output', 'output_text', 'usage'],
  ...['status', 'error', 'incomplete_details', 'service_tier'],
])

/** Fields that an answer repeats of its request, and others that the exchange has no word for. */
export const answerFields = (response: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(response).filter(([name]) => !known.has(name)))

/** Likely tokens of all texts, in the shape of Chat's choices. */
function logprobsOf(parts: readonly Part[]): { logprobs?: JsonObject } {
  const content = parts.flatMap((part) => asArray(part.native?.fields.logprobs))
  return content.length > 0 ? { logprobs: { content } } : {}
}

/**
 * A whole Responses answer. Throws `upstream_invalid` for what is none, and `upstream_error` with the
 * vendor's words for one that failed.
 */
export function decodeResponse(body: unknown): ExchangeResponse {
  const response = asObject(body)
  const failure = response && readResponsesError(response)
  if (failure && (response.status === 'failed' || !Array.isArray(response.output))) {
    throw upstreamError(failure)
  }
  if (!response || !Array.isArray(response.output)) {
    throw wrongAnswer('answer_no_response')
  }
  const parts = response.output.flatMap((item) => decodeItem(asObject(item) ?? {}).parts)
  const tier = asString(response.service_tier)
  return {
    id: asString(response.id) ?? '',
    model: asString(response.model) ?? '',
    created: asCount(response.created_at) ?? null,
    choices: [{ parts, stop: decodeStop(response, parts), ...logprobsOf(parts) }],
    usage: readResponsesUsage(response),
    ...(tier === undefined ? {} : { serviceTier: tier }),
    ...ownNative(answerFields(response)),
  }
}
