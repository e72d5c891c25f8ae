import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import { prettyJson } from '../../inspect/formats/pretty-json.ts'
import type { Call } from '../../relay/call/call.ts'
import { reserve } from '../../relay/limits/reserve.ts'
import { spendLimitsOf } from '../../relay/limits/spend-limits.ts'
import { callsAnswer } from '../../relay/pricing/expected-cost.ts'
import { expectedFactor } from '../../relay/pricing/expected-factor.ts'
import { modelFacts } from '../../relay/pricing/model-facts.ts'
import { peakFactor, priceFor } from '../../relay/pricing/model-price.ts'
import { estimatedPrompt } from '../../relay/usage/estimated-prompt.ts'
import { lossKind } from '../captures/capture-comparisons.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { playgroundCall, requestOf } from './playground-request.ts'
import { CONVERSATION_LIMIT, conversation } from './playground-send.ts'

const MILLION = 1_000_000

const estimate = z.strictObject({
  input_tokens: z.int().describe('Estimated.'),
  cost: z
    .strictObject({
      least: z.number().describe('Quota units for the input and an empty answer.'),
      most: z
        .number()
        .nullable()
        .describe(
          'With the longest answer that the request and the model allow; null where unknown.',
        ),
    })
    .nullable()
    .describe('Null for a model without a price.'),
  left: z.int().nullable().describe('Quota units that may be spent; null where nothing limits it.'),
  refusal: z.string().nullable().describe('Why the call would be refused now.'),
  losses: z
    .array(z.strictObject({ path: z.string(), kind: lossKind, note: z.string() }))
    .describe('Fields that the wire format has no room for.'),
  request: z
    .strictObject({ path: z.string().describe('With its query.'), body: z.string() })
    .nullable()
    .describe('The request as a client sends it, where it was asked for.'),
})

/** The range of a call's cost, in quota units; null for a model without a price. */
function costOf(call: Call, input: number, parts: GatewayParts) {
  const price = priceFor(call.caller.user, call.model, parts.settings.current)
  if (!price) return null
  const factor = expectedFactor(call, parts) * peakFactor(price, unixSeconds()) * UNITS_PER_USD
  if (price.call !== null) return { least: price.call * factor, most: price.call * factor }
  const rates = price.long && input > price.long.above ? price.long.tokens : price.tokens
  if (!rates) return null
  const least = price.request + (input * rates.input) / MILLION
  const answer = callsAnswer(call) || modelFacts(call.model).maxOutput
  const most = answer === null ? null : (least + (answer * rates.output) / MILLION) * factor
  return { least: least * factor, most: rates.output === 0 ? least * factor : most }
}

/** The gateway's refusal of a call that costs too much; nothing stays held back. */
function refusalOf(call: Call, parts: GatewayParts): string | null {
  try {
    reserve(call, parts)?.hold?.release()
    return null
  } catch (error) {
    if (error instanceof GatewayError) return error.message
    throw error
  }
}

export const preview = defineOperation({
  name: 'playground.preview',
  summary:
    'Estimates a conversation before it is sent: input tokens, range of cost, whether a budget or balance refuses it, and what its wire format loses.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/pg/preview' },
  bodyLimit: CONVERSATION_LIMIT,
  input: conversation.extend({
    show_request: z.boolean().default(false).describe('Answers with the request itself.'),
  }),
  output: estimate,
  run({ show_request: isShown, ...asked }, context): z.infer<typeof estimate> {
    const { parts } = context
    const request = requestOf(asked)
    const call = playgroundCall(asked, request, context, { isCaptured: false })
    const input = estimatedPrompt(call)
    const lefts = spendLimitsOf(call.caller, 0, parts).map(({ left }) => left)
    const { path, query, body, losses } = request
    return {
      input_tokens: input,
      cost: costOf(call, input, parts),
      left: lefts.length > 0 ? Math.min(...lefts) : null,
      refusal: refusalOf(call, parts),
      losses: losses.map(({ path: at, kind, note }) => ({ path: at, kind, note })),
      request: isShown
        ? {
            path: query === '' ? path : `${path}?${query}`,
            body: prettyJson(JSON.stringify(body)),
          }
        : null,
    }
  },
})
