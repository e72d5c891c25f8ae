import { digest } from '../../../base/digest.ts'
import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, RequestField, TextPart } from '../../exchange.ts'
import { putInner } from '../../foreign/kept-fields.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, wordOf } from '../../json/json-value.ts'
import { anthropicOutputSchema, describedSchema } from '../../schema/json-schema.ts'
import { demandsCall } from '../../tools/demands-call.ts'
import { limitMarks, markUnasked } from './cache-marks.ts'
import { BILLING_FIELD } from './decode-request.ts'
import { answerSchema, encodeTools } from './encode-tools.ts'
import { encodeMessages, encodeSystem } from './encode-turns.ts'
import { encodeSampling } from './sampling.ts'
import { shapeTurns } from './shape-turns.ts'
import { type EncodedThinking, encodeThinking, ownThinking } from './thinking.ts'
import { DROP_UNREADABLE } from './thought-binding.ts'

/** A body for POST /v1/messages that Anthropic's own API accepts. */
export function encodeRequest(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const isOwn = request.origin === 'messages'
  if (!isOwn) refuseOrDrop(request, target)
  const { system, messages: turns } = shapeTurns(request, target)
  const messages = encodeMessages(turns, target)
  const thinking = isOwn
    ? thinkingOfOwn(request, target, messages)
    : encodeThinking(request, target, mustNotThink(request, target, messages))
  const systemBlocks = encodeSystem([...system, ...jsonSentence(request, target)], target)
  const own = target.loss.native(request.native, 'messages')
  const billing = own[BILLING_FIELD]
  if (billing !== undefined) systemBlocks.unshift(billing as JsonObject)
  const body: JsonObject = {
    model: target.model,
    max_tokens: thinking.maxTokens,
    ...(systemBlocks.length > 0 ? { system: systemBlocks } : {}),
    messages,
    ...encodeTools(request, target, thinking.isOn),
    ...encodeThoughts(thinking, messages, target, isOwn),
    ...encodeConfig(request, target, thinking.effort),
    ...encodeSampling(request, target, thinking.isOn),
    ...encodeTier(request, target, isOwn),
    ...encodeUser(request, target, isOwn),
    ...(request.stream ? { stream: true } : {}),
  }
  putBack(own, body)
  if (!isOwn) fitCache(request, body, target)
  limitMarks(body, target.loss)
  return body
}

/** Most clients set no marks. One with tools calls again, with their results. */
function fitCache(request: ExchangeRequest, body: JsonObject, { rules, loss }: RequestTarget) {
  const { cacheKey, tools, toolChoice } = request
  const isAgent = tools.length > 0 && (toolChoice?.mode ?? 'auto') === 'auto'
  if (rules.cacheMarks && (cacheKey !== undefined || isAgent)) markUnasked(body)
  else if (cacheKey !== undefined) loss.drop(loss.field('cacheKey'), 'no_cache_key')
}

const dropped: readonly RequestField[] = [
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'logitBias',
  'verbosity',
  'metadata',
]

/** Wishes that Anthropic has no word for; those that would change what the client gets are refused. */
function refuseOrDrop(request: ExchangeRequest, { loss }: RequestTarget): void {
  if ((request.count ?? 1) > 1) loss.refuse(loss.field('count'), 'one_answer')
  if (request.logprobs !== undefined) {
    loss.refuse(loss.field('logprobs'), 'no_probabilities_here')
  }
  const other = request.modalities?.find((kind) => kind !== 'text')
  if (other) loss.refuse(loss.field('modalities'), { code: 'text_alone', kind: other })
  if (request.previousResponseId !== undefined) {
    loss.refuse(loss.field('previousResponseId'), 'no_answers_kept')
  }
  for (const field of dropped) {
    if (request[field] !== undefined) loss.drop(loss.field(field), 'upstream_without_field')
  }
  if (request.store === true) loss.drop(loss.field('store'), 'keeps_no_answers')
}

const isThought = (block: unknown): boolean => {
  const type = asObject(block)?.type
  return type === 'thinking' || type === 'redacted_thinking'
}

/**
 * Must a model be told not to think that thinks unasked? Where it has to call a tool, and where it called one before
 * and its thoughts are lost: DeepSeek answers 400 to both (deepseek-ai/DeepSeek-V3#1376).
 */
function mayNotThinkUnasked(
  request: ExchangeRequest,
  target: RequestTarget,
  messages: readonly JsonObject[],
): boolean {
  const { rules, loss } = target
  if (rules.thinkingSwitch === 'none' || request.reasoning !== undefined) return false
  const isRefused = rules.forcedTool === 'without-thinking'
  if (isRefused && demandsCall(request)) loss.approximate(loss.field('toolChoice'), 'thinking_off')
  else if (isRefused && answerSchema(request, target))
    loss.approximate(loss.field('output'), 'thinking_off')
  else if (callsWithoutThoughts(messages)) loss.approximate(loss.field('turns'), 'thinking_off')
  else return false
  return true
}

/** Is there a call before which the model's thoughts are gone? */
const callsWithoutThoughts = (messages: readonly JsonObject[]): boolean =>
  messages.some(({ content }) => {
    const blocks = asArray(content)
    return blocks.some((block) => asObject(block)?.type === 'tool_use') && !blocks.some(isThought)
  })

/**
 * May thoughts not be asked for? Not while a call is forced by way of an answer's schema, not behind a
 * prefill, and not inside a tool loop whose thoughts are lost: Anthropic wants them back.
 */
function mustNotThink(
  request: ExchangeRequest,
  target: RequestTarget,
  messages: readonly JsonObject[],
): boolean {
  const { reasoning } = request
  const { rules, loss } = target
  if (rules.thinking === 'none') return false
  const isWanted = reasoning !== undefined && reasoning.mode !== 'off'
  const forcesAnswer = rules.forcedTool === 'without-thinking' && answerSchema(request, target)
  const mayBeOff = rules.thinkingOff === 'yes' || rules.thinkingOff === 'up-to-high'
  const isPrefill = messages.at(-1)?.role === 'assistant'
  const isLost =
    mayBeOff &&
    (lacksThoughts(messages) || (rules.resendReasoning && callsWithoutThoughts(messages)))
  if (mayNotThinkUnasked(request, target, messages)) return true
  if (!isWanted || !(forcesAnswer || isPrefill || isLost)) return false
  loss.approximate(loss.field('reasoning'), 'thinking_off')
  return true
}

/**
 * `thinking`. Clients of other formats change tools, instructions and old turns as they like: where that would make the
 * model refuse the thoughts that go back, they are left out. Needs the header of `bindingHeaders`.
 */
function encodeThoughts(
  { thinking }: EncodedThinking,
  messages: readonly JsonObject[],
  { rules }: RequestTarget,
  isOwn: boolean,
): JsonObject {
  const type = thinking?.type ?? 'adaptive'
  const isBound =
    !isOwn &&
    rules.boundThoughts &&
    type === 'adaptive' &&
    messages.some(({ content }) => asArray(content).some(isThought))
  if (isBound) return { thinking: { type, ...thinking, ...DROP_UNREADABLE } }
  return thinking ? { thinking } : {}
}

/** Is a tool loop open in which the model's thoughts stand nowhere? */
function lacksThoughts(messages: readonly JsonObject[]): boolean {
  const blocks = (message: JsonObject) =>
    asArray(message.content).map((block) => asObject(block)?.type)
  const isUsers = (message: JsonObject) =>
    message.role === 'user' && !blocks(message).includes('tool_result')
  const loop = messages.slice(messages.findLastIndex(isUsers) + 1)
  return (
    loop.some(({ role }) => role === 'assistant') &&
    !loop.some(({ content }) => asArray(content).some(isThought))
  )
}

/** The client's own fields, but no thinking by budget where another vendor's thoughts were taken out. */
function thinkingOfOwn(
  request: ExchangeRequest,
  { rules, loss }: RequestTarget,
  messages: readonly JsonObject[],
): EncodedThinking {
  const maxTokens = request.maxOutput ?? rules.maxOutput
  const words = ownThinking(request.reasoning ?? {})
  const hadOther = request.turns.some(({ parts }) =>
    parts.some((part) => part.type === 'reasoning' && part.state?.origin !== 'messages'),
  )
  if (words.thinking?.type === 'enabled' && hadOther && lacksThoughts(messages)) {
    loss.approximate(loss.field('reasoning'), 'thinking_off')
    return { ...words, thinking: { type: 'disabled' }, maxTokens, isOn: false }
  }
  return { ...words, maxTokens, isOn: words.thinking !== undefined }
}

/** Instruction for a model that takes no schema for its answer. */
function jsonSentence(request: ExchangeRequest, target: RequestTarget): TextPart[] {
  const { output } = request
  const { rules, loss } = target
  if (
    !output ||
    (output.type === 'schema' && (rules.structuredOutput || answerSchema(request, target)))
  ) {
    return []
  }
  loss.approximate(loss.field('output'), 'output_in_words')
  const shape =
    output.type === 'schema'
      ? ` It has to fit this JSON schema: ${stringifyExact(describedSchema(output))}`
      : ''
  const text = `Answer with one JSON object only, without any text or code fence around it.${shape}`
  return [{ type: 'text', text }]
}

/** `output_config`: effort, and the answer's schema. */
function encodeConfig(
  { output, origin }: ExchangeRequest,
  { rules, loss }: RequestTarget,
  effort: string | undefined,
): JsonObject {
  const config: JsonObject = effort === undefined ? {} : { effort }
  const isOwn = origin === 'messages'
  if (output?.type === 'schema' && (isOwn || rules.structuredOutput)) {
    if (output.strict === false) loss.approximate(loss.field('output'), 'schema_always_held')
    const schema = isOwn
      ? output.schema
      : anthropicOutputSchema(describedSchema(output), loss, loss.field('output'))
    config.format = { type: 'json_schema', schema }
  }
  return Object.keys(config).length > 0 ? { output_config: config } : {}
}

const tiers = new Map<string, JsonObject>([
  ['auto', { service_tier: 'auto' }],
  ['priority', { service_tier: 'auto' }],
  ['default', { service_tier: 'standard_only' }],
  ['standard', { service_tier: 'standard_only' }],
  ['standard_only', { service_tier: 'standard_only' }],
])

/** `service_tier`, and OpenAI's tier `fast`, which is a speed here that few models have: the others answer 400. */
function encodeTier(
  { serviceTier }: ExchangeRequest,
  { loss, rules }: RequestTarget,
  isOwn: boolean,
): JsonObject {
  if (serviceTier === undefined) return {}
  if (serviceTier === 'fast' && (isOwn || rules.fastMode)) return { speed: 'fast' }
  const fields = tiers.get(serviceTier)
  if (fields) {
    if (!isOwn && serviceTier === 'priority')
      loss.approximate(loss.field('serviceTier'), 'tier_as_auto')
    return fields
  }
  if (isOwn) return { service_tier: serviceTier }
  loss.drop(loss.field('serviceTier'), 'no_such_tier')
  return {}
}

/** Another format's user is hashed: a name or mail address is not for a vendor that it was not given to. */
function encodeUser(
  { user }: ExchangeRequest,
  { loss }: RequestTarget,
  isOwn: boolean,
): JsonObject {
  if (user === undefined || user === '') return {}
  if (isOwn) return { metadata: { user_id: user } }
  loss.approximate(loss.field('user'), 'sent_hashed')
  return { metadata: { user_id: digest(user) } }
}

/** Objects whose unknown fields go back into them. */
const HEADS = ['thinking', 'output_config', 'metadata', 'tool_choice']

/** The client's fields that have no word in the exchange; `a.b` stands inside the object `a`. */
function putBack(own: JsonObject, body: JsonObject): void {
  const isOff = asObject(body.thinking)?.type === 'disabled'
  const fields = Object.entries(own).filter(
    ([name]) => name !== BILLING_FIELD && !(isOff && name.startsWith('thinking.')),
  )
  Object.assign(body, putInner(body, Object.fromEntries(fields), HEADS))
  const management = asObject(body.context_management)
  if (!management || asObject(body.thinking)?.type !== 'disabled') return
  // Clearing thoughts is refused where there are none.
  const edits = asArray(management.edits).filter(
    (edit) => !wordOf(asObject(edit)?.type).startsWith('clear_thinking'),
  )
  if (edits.length > 0) body.context_management = { ...management, edits }
  else delete body.context_management
}
