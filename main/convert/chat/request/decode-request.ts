import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type { ExchangeRequest, OutputShape } from '../../exchange.ts'
import { innerFields, keepFields } from '../../foreign/kept-fields.ts'
import { ExactNumber } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { ownFields } from '../own-fields.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeReasoningRequest, reasoningRequestFields } from './decode-reasoning-request.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import {
  readArray,
  readCount,
  readNumber,
  readNumberWithin,
  readObject,
  readSwitch,
  readText,
} from './read-field.ts'

const known = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'functions', 'tool_choice'],
  ...['function_call', 'web_search_options', 'parallel_tool_calls', 'response_format'],
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'n', 'seed'],
  ...['presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs'],
  ...['verbosity', 'service_tier', 'modalities', 'user', 'safety_identifier', 'metadata'],
  ...['prompt_cache_key', 'store', ...reasoningRequestFields],
])

/** Types of fields that are read leniently below. */
const types = {
  stream_options: 'object',
  'stream_options.include_usage': 'boolean',
  web_search_options: 'object',
  'response_format.json_schema.name': 'string',
  'response_format.json_schema.description': 'string',
  'response_format.json_schema.strict': 'boolean',
} as const

const knownOfChoice = new Set([
  ...['type', 'name', 'function', 'custom', 'allowed_tools', 'mode', 'tools'],
])
const knownOfShape = new Set(['type', 'json_schema'])
const knownOfSchema = new Set(['name', 'description', 'schema', 'strict'])

/** Fields and parts of fields that the exchange has no word for. */
function decodeOwn(body: JsonObject): Pick<ExchangeRequest, 'native'> {
  const fields = { ...ownFields(body, known).native?.fields }
  const { include_usage: _known, ...options } = asObject(body.stream_options) ?? {}
  if (Object.keys(options).length > 0) fields.stream_options = options
  // No double holds it.
  if (body.seed instanceof ExactNumber) fields.seed = body.seed
  if (body.safety_identifier && body.user) fields.user = body.user
  if (body.logprobs !== true && (body.top_logprobs ?? null) !== null)
    fields.top_logprobs = body.top_logprobs
  const limits = [body.max_completion_tokens, body.max_tokens]
  if (limits.every((one) => (one ?? null) !== null) && limits[0] !== limits[1])
    fields.max_tokens = body.max_tokens
  Object.assign(
    fields,
    decodeReasoningRequest(body).kept,
    innerFields('response_format', body.response_format, knownOfShape),
    innerFields(
      'response_format.json_schema',
      asObject(body.response_format)?.json_schema,
      knownOfSchema,
    ),
    innerFields('tool_choice', body.tool_choice, knownOfChoice),
  )
  return keepFields('chat', fields)
}

function decodeOutput(body: JsonObject): OutputShape | undefined {
  const format = readObject(body, 'response_format')
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') {
    return refuse('response_format.type', {
      code: 'must_be_either',
      values: ['text', 'json_object', 'json_schema'],
    })
  }
  const inner = asObject(format.json_schema)
  const schema = asObject(inner?.schema)
  if (!inner || !schema) return refuse('response_format.json_schema.schema', 'must_be_object')
  const name = asString(inner.name)
  const description = asString(inner.description)
  const strict = inner.strict
  return {
    type: 'schema',
    schema,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

function decodeStop(body: JsonObject): string[] | undefined {
  const { stop } = body
  if (stop === undefined || stop === null) return undefined
  const list = typeof stop === 'string' ? [stop] : stop
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    return refuse('stop', 'must_be_string_or_strings')
  }
  return list
}

function decodeMaxOutput(body: JsonObject): number | undefined {
  const current = readCount(body, 'max_completion_tokens', 1)
  return current ?? readCount(body, 'max_tokens', 1)
}

/** Numbers by which tokens are sampled, and lists that go with them. */
function decodeSampling(body: JsonObject): Partial<ExchangeRequest> {
  const fields: Partial<ExchangeRequest> = {}
  const temperature = readNumberWithin(body, 'temperature', 0, 2)
  if (temperature !== undefined) fields.temperature = temperature
  const topP = readNumberWithin(body, 'top_p', 0, 1)
  if (topP !== undefined) fields.topP = topP
  const topK = readNumber(body, 'top_k')
  if (topK !== undefined) fields.topK = topK
  const seed = body.seed instanceof ExactNumber ? undefined : readNumber(body, 'seed')
  if (seed !== undefined) fields.seed = seed
  const presence = readNumberWithin(body, 'presence_penalty', -2, 2)
  if (presence !== undefined) fields.presencePenalty = presence
  const frequency = readNumberWithin(body, 'frequency_penalty', -2, 2)
  if (frequency !== undefined) fields.frequencyPenalty = frequency
  const bias = readObject(body, 'logit_bias')
  if (bias) fields.logitBias = bias as Record<string, number>
  const likely = readCount(body, 'top_logprobs', 0)
  if (readSwitch(body, 'logprobs')) fields.logprobs = likely ?? 0
  const stop = decodeStop(body)
  if (stop) fields.stop = stop
  const count = readCount(body, 'n', 1)
  if (count !== undefined) fields.count = count
  const maxOutput = decodeMaxOutput(body)
  if (maxOutput !== undefined) fields.maxOutput = maxOutput
  return fields
}

const kinds = ['text', 'image', 'audio'] as const

/** Settings of the account, the cache and the answer's form. */
function decodeSettings(body: JsonObject): Partial<ExchangeRequest> {
  const fields: Partial<ExchangeRequest> = {}
  const verbosity = readText(body, 'verbosity')
  if (verbosity !== undefined) fields.verbosity = verbosity
  const tier = readText(body, 'service_tier')
  if (tier !== undefined) fields.serviceTier = tier
  const modalities = readArray(body, 'modalities')
  if (modalities) {
    fields.modalities = kinds.filter((kind) => modalities.includes(kind))
    const isKnown = modalities.every((one) => kinds.some((kind) => kind === one))
    if (!isKnown) refuse('modalities', 'may_hold_modalities')
  }
  const user = readText(body, 'safety_identifier') ?? readText(body, 'user')
  if (user !== undefined) fields.user = user
  const metadata = readObject(body, 'metadata')
  if (metadata) fields.metadata = metadata as Record<string, string>
  const cacheKey = readText(body, 'prompt_cache_key')
  if (cacheKey !== undefined) fields.cacheKey = cacheKey
  const store = readSwitch(body, 'store')
  if (store !== undefined) fields.store = store
  const output = decodeOutput(body)
  if (output) fields.output = output
  const usage = asObject(body.stream_options)?.include_usage
  if (typeof usage === 'boolean') fields.wantsStreamUsage = usage
  const { reasoning } = decodeReasoningRequest(body)
  if (reasoning) fields.reasoning = reasoning
  return fields
}

/**
 * A Chat Completions body (https://platform.openai.com/docs/api-reference/chat/create), with what compatible
 * vendors add to it. Throws `invalid_request` naming the field that cannot be read.
 */
export function decodeChatRequest(body: JsonObject): ExchangeRequest {
  requireTypes(body, types)
  const { messages } = body
  if (messages === undefined && 'input' in body) {
    refuse('messages', 'turns_or_other_path')
  }
  if (!Array.isArray(messages)) refuse('messages', 'turns_required')
  if (asArray(messages).length === 0) refuse('messages', 'must_hold_turn')
  const model = readText(body, 'model')
  if (!model) refuse('model', 'is_required')
  const choice = decodeToolChoice(body)
  const parallel = readSwitch(body, 'parallel_tool_calls')
  return {
    origin: 'chat',
    model,
    stream: readSwitch(body, 'stream') ?? false,
    turns: decodeMessages(asArray(messages)),
    tools: decodeTools(body),
    ...(choice ? { toolChoice: choice } : {}),
    ...(parallel === undefined ? {} : { parallelCalls: parallel }),
    ...decodeSampling(body),
    ...decodeSettings(body),
    ...decodeOwn(body),
  }
}
