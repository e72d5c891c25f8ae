import { digest } from '../../../base/digest.ts'
import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, OutputShape } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { openaiTier } from '../../openai/openai-tier.ts'
import { describedSchema, fitsStrict } from '../../schema/json-schema.ts'
import { cleanedWithHash } from '../../tools/tool-ids.ts'

/** The vendor's limit for keys and identifiers that a client makes up. */
const LONGEST_KEY = 64
/** Fewer output tokens than these the vendor refuses. */
const LEAST_OUTPUT = 16
const SCHEMA_NAME = /^[a-zA-Z0-9_-]{1,64}$/

function encodeSampling(request: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  const { temperature, topP } = request
  const fields: JsonObject = {}
  if (temperature !== undefined && (temperature < 0 || temperature > 2)) {
    loss.refuse(loss.field('temperature'), { code: 'must_be_number_from', least: 0, most: 2 })
  }
  if (topP !== undefined && (topP < 0 || topP > 1)) {
    loss.refuse(loss.field('topP'), { code: 'must_be_number_from', least: 0, most: 1 })
  }
  if (!rules.sampling) {
    for (const name of ['temperature', 'topP'] as const) {
      if (request[name] !== undefined) loss.drop(loss.field(name), 'model_refuses')
    }
    return fields
  }
  if (temperature !== undefined) {
    fields.temperature = Math.min(temperature, rules.temperatureMax)
    if (temperature > rules.temperatureMax) {
      loss.approximate(loss.field('temperature'), {
        code: 'at_most_here',
        most: rules.temperatureMax,
      })
    }
  }
  if (topP === undefined) return fields
  if (rules.bothSampling || temperature === undefined) return { ...fields, top_p: topP }
  loss.drop(loss.field('topP'), 'refused_beside_temperature')
  return fields
}

function encodeLimit(
  { maxOutput, origin }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): JsonObject {
  if (maxOutput === undefined) return {}
  const path = loss.field('maxOutput')
  if (maxOutput < 1) loss.refuse(path, { code: 'must_be_at_least', least: 1 })
  if (maxOutput < LEAST_OUTPUT) {
    loss.approximate(path, { code: 'no_limit_below', least: LEAST_OUTPUT })
    return { max_output_tokens: LEAST_OUTPUT }
  }
  if (origin === 'responses' || maxOutput <= rules.maxOutput)
    return { max_output_tokens: maxOutput }
  loss.approximate(path, { code: 'writes_at_most', most: rules.maxOutput })
  return { max_output_tokens: rules.maxOutput }
}

/** Settings without a field in this format: dropped, or refused where the answer would differ. */
function dropForeign(request: ExchangeRequest, { rules, loss }: RequestTarget): void {
  if (request.count !== undefined && request.count > 1) {
    loss.refuse(loss.field('count'), 'one_answer_to_call')
  }
  for (const kind of ['audio', 'image'] as const) {
    if (request.modalities?.includes(kind)) {
      loss.refuse(loss.field('modalities'), { code: 'no_answers_of_kind', kind })
    }
  }
  if (request.logprobs !== undefined && !rules.logprobs && request.origin !== 'responses') {
    loss.refuse(loss.field('logprobs'), 'no_likely_tokens')
  }
  const others = [
    'topK',
    'stop',
    'seed',
    'presencePenalty',
    'frequencyPenalty',
    'logitBias',
  ] as const
  for (const name of others) {
    const value = request[name]
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) loss.drop(loss.field(name), 'upstream_without_field')
  }
}

/** A person's identifier: hashed for a vendor that the client did not give it to. */
function encodeUser(request: ExchangeRequest, { rules, loss }: RequestTarget): JsonObject {
  const { origin, user } = request
  if (user === undefined || user === '') return {}
  // Chat and Responses are two doors of one vendor.
  const isGiven = origin === 'responses' || (origin === 'chat' && rules.openaiFields)
  if (isGiven && user.length <= LONGEST_KEY) return { safety_identifier: user }
  loss.approximate(loss.field('user'), 'sent_hashed')
  return { safety_identifier: digest(user).slice(0, LONGEST_KEY) }
}

/** Requests of one conversation go where its beginning is cached. Claude Code's tell it by their user. */
function encodeCacheKey({ origin, cacheKey, user }: ExchangeRequest): JsonObject {
  const key = cacheKey ?? (origin === 'messages' ? user : undefined)
  if (key === undefined || key === '') return {}
  const isFit = cacheKey !== undefined && key.length <= LONGEST_KEY
  return { prompt_cache_key: isFit ? key : digest(key).slice(0, LONGEST_KEY) }
}

function encodeTier({ serviceTier }: ExchangeRequest, { loss }: RequestTarget): JsonObject {
  if (serviceTier === undefined) return {}
  const path = loss.field('serviceTier')
  const tier = openaiTier(serviceTier)
  if (tier === undefined) {
    loss.drop(path, 'no_such_tier')
    return {}
  }
  if (tier !== serviceTier) loss.approximate(path, { code: 'sent_as', value: tier })
  return { service_tier: tier }
}

/** Everything of a request that is neither conversation nor tools nor the answer's form. */
export function encodeSettings(request: ExchangeRequest, target: RequestTarget): JsonObject {
  dropForeign(request, target)
  const { metadata, logprobs } = request
  return {
    ...encodeSampling(request, target),
    ...encodeLimit(request, target),
    ...encodeUser(request, target),
    ...encodeCacheKey(request),
    ...encodeTier(request, target),
    ...(logprobs === undefined ? {} : { top_logprobs: logprobs }),
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}

function encodeSchema(
  output: Extract<OutputShape, { type: 'schema' }>,
  request: ExchangeRequest,
  { loss }: RequestTarget,
): JsonObject {
  const { schema, name = 'answer', description, strict } = output
  // Claude and Gemini hold to a schema without being asked to.
  const isHeld = request.origin === 'messages' || request.origin === 'generate-content'
  const wantsStrict = strict ?? isHeld
  const isStrict = wantsStrict && fitsStrict(schema)
  if (wantsStrict && !isStrict) {
    loss.approximate(loss.field('output'), 'schema_guides')
  }
  return {
    type: 'json_schema',
    name: SCHEMA_NAME.test(name) ? name : cleanedWithHash(name, LONGEST_KEY),
    ...(description === undefined ? {} : { description }),
    schema,
    strict: isStrict,
  }
}

const ONE_OBJECT = 'Answer with one JSON object only.'

/** The system prompt, which becomes the instructions, does not count. */
const mentionsJson = ({ turns }: ExchangeRequest): boolean =>
  turns.some(
    ({ role, parts }) =>
      role !== 'system' && parts.some((part) => part.type === 'text' && /json/i.test(part.text)),
  )

/**
 * `text`, and a sentence for the input where that cannot say it all: the vendor refuses `json_object` unless
 * the word JSON stands in the input, which other formats do not ask.
 */
export function encodeText(
  request: ExchangeRequest,
  target: RequestTarget,
): { text: JsonObject; sentence: string | null } {
  const { output, verbosity, origin } = request
  const { rules, loss } = target
  const about = verbosity === undefined ? {} : { verbosity }
  if (!output) return { text: about, sentence: null }
  const object = rules.jsonObject ? { format: { type: 'json_object' } } : {}
  if (output.type === 'schema') {
    if (rules.structuredOutput || origin === 'responses') {
      return { text: { format: encodeSchema(output, request, target), ...about }, sentence: null }
    }
    loss.approximate(loss.field('output'), 'schema_in_words')
    const sentence = `${ONE_OBJECT} It must match this JSON Schema: ${stringifyExact(describedSchema(output))}`
    return { text: { ...object, ...about }, sentence }
  }
  const isSaid = origin === 'responses' || (rules.jsonObject && mentionsJson(request))
  if (!isSaid) {
    loss.approximate(
      loss.field('output'),
      rules.jsonObject ? 'output_in_words_too' : 'output_in_words',
    )
  }
  const format = origin === 'responses' ? { format: { type: 'json_object' } } : object
  return { text: { ...format, ...about }, sentence: isSaid ? null : ONE_OBJECT }
}
