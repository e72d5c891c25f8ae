import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import { estimateBytes } from '../../convert/estimate/estimate-input.ts'
import { prettyJson } from '../../inspect/formats/pretty-json.ts'
import { readmit } from '../../relay/1-admit/admit.ts'
import { planRoute } from '../../relay/2-route/plan-route.ts'
import type { Call } from '../../relay/call/call.ts'
import { reserve } from '../../relay/limits/reserve.ts'
import { spendLimitsOf } from '../../relay/limits/spend-limits.ts'
import { callsAnswer } from '../../relay/pricing/expected-cost.ts'
import { expectedFactor, vendorFactor } from '../../relay/pricing/expected-factor.ts'
import { modelFacts } from '../../relay/pricing/model-facts.ts'
import { priceFor } from '../../relay/pricing/model-price.ts'
import { estimatedPrompt } from '../../relay/usage/estimated-prompt.ts'
import { lossOutput, lossView } from '../captures/loss-output.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { defineOperation } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
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
  refusal_reason: reasonOutput.nullable().describe('The same by code and values.'),
  losses: z.array(lossOutput).describe('Fields that the wire format has no room for.'),
  request: z
    .strictObject({ path: z.string().describe('With its query.'), body: z.string() })
    .nullable()
    .describe('The request as a client sends it, where it was asked for.'),
})

/** A file that the body has only a stand-in for. */
const leftOut = z.strictObject({
  kind: z.enum(['image', 'document', 'audio', 'text']),
  type: z.string().max(255).describe('`image/png`'),
  size: z.int().min(0).describe('Bytes.'),
})

/** Bytes of a stand-in, at most: it is counted with the body. */
const STAND_IN = 3

/** Tokens of a file beyond those of its stand-in; a text is in the body as words. */
function tokensOf({ kind, type, size }: z.infer<typeof leftOut>): number {
  if (kind === 'text') return estimateBytes({ kind: 'document' }, 'text/plain', size)
  return estimateBytes({ kind }, type, size) - estimateBytes({ kind }, type, STAND_IN)
}

/** The range of a call's cost, in quota units; null for a model without a price. */
function costOf(call: Call, input: number, parts: GatewayParts) {
  const price = priceFor(call.caller.user, call.model, parts.settings.current)
  if (!price) return null
  const factor = expectedFactor(call, parts) * vendorFactor(call, price) * UNITS_PER_USD
  if (price.call !== null) return { least: price.call * factor, most: price.call * factor }
  const rates = price.long && input > price.long.above ? price.long.tokens : price.tokens
  if (!rates) return null
  const least = price.request + (input * rates.input) / MILLION
  const answer = callsAnswer(call) || modelFacts(call.model).maxOutput
  const most = answer === null ? null : (least + (answer * rates.output) / MILLION) * factor
  return { least: least * factor, most: rates.output === 0 ? least * factor : most }
}

/** The call by each model that may come to answer it. Throws where it asks for a route that leads nowhere. */
function askedCalls(call: Call, parts: GatewayParts): readonly Call[] {
  const isRoute = parts.routes.byName(call.model) !== undefined
  return isRoute ? planRoute(call, { candidates: [], attempts: [] }, parts).calls : [call]
}

/** The call as it is asked first. */
function firstCall(call: Call, parts: GatewayParts): Call {
  try {
    return askedCalls(call, parts)[0] ?? call
  } catch {
    // `refusalOf` tells it.
    return call
  }
}

/** The gateway's refusal of a call that may not be made or costs too much; nothing stays held back. */
function refusalOf(call: Call, cost: ReturnType<typeof costOf>, parts: GatewayParts) {
  try {
    readmit(call, parts)
    reserve(call, parts, askedCalls(call, parts))?.hold?.release()
    // Again by the cost with the files, which the call has only stand-ins for.
    const needed = Math.ceil((callsAnswer(call) > 0 ? cost?.most : cost?.least) ?? 0)
    const limits = spendLimitsOf(call.caller, 0, parts)
    const narrow = limits.find(({ left, isTrusted }) => needed > left && !isTrusted)
    return narrow?.refusal(needed) ?? null
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

export const preview = defineOperation({
  name: 'playground.preview',
  summary:
    'Estimates a conversation before it is sent: input tokens, range of cost, whether a token, budget or balance refuses it, and what its wire format loses.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/pg/preview' },
  bodyLimit: CONVERSATION_LIMIT,
  input: conversation.extend({
    files: z
      .array(leftOut)
      .max(1000)
      .default([])
      .describe(
        'Files that the body has only stand-ins for, so that their bytes need not be sent.',
      ),
    show_request: z.boolean().default(false).describe('Answers with the request itself.'),
  }),
  output: estimate,
  run({ show_request: isShown, files, ...asked }, context): z.infer<typeof estimate> {
    const { parts } = context
    const request = requestOf(asked)
    const call = playgroundCall(asked, request, context, { isCaptured: false })
    const input = estimatedPrompt(call) + files.reduce((sum, file) => sum + tokensOf(file), 0)
    const cost = costOf(firstCall(call, parts), input, parts)
    const lefts = spendLimitsOf(call.caller, 0, parts).map(({ left }) => left)
    const { path, query, body, losses } = request
    const refusal = refusalOf(call, cost, parts)
    return {
      input_tokens: input,
      cost,
      left: lefts.length > 0 ? Math.min(...lefts) : null,
      refusal: refusal?.message ?? null,
      refusal_reason: refusal?.reason ?? null,
      losses: losses.map(lossView),
      request: isShown
        ? {
            path: query === '' ? path : `${path}?${query}`,
            body: prettyJson(JSON.stringify(body)),
          }
        : null,
    }
  },
})
