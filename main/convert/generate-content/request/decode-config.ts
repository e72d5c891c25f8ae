import { ownValue } from '../../../base/own-value.ts'
import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type { Effort, ExchangeRequest, OutputShape, ReasoningRequest } from '../../exchange.ts'
import { innerFields } from '../../foreign/kept-fields.ts'
import { ExactNumber } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../../json/json-value.ts'
import { camelFields } from '../wire-fields.ts'
import { decodeSchema } from './decode-schema.ts'
import { fieldNames } from './field-names.ts'

type NumberField = 'temperature' | 'topP' | 'topK' | 'count' | 'maxOutput' | 'seed' | Penalty
type Penalty = 'presencePenalty' | 'frequencyPenalty'

const numberFields: Readonly<Record<NumberField, string>> = {
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  count: 'candidateCount',
  maxOutput: 'maxOutputTokens',
  seed: 'seed',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
}

/** Types of fields that are read leniently below. */
const types = {
  stopSequences: 'array',
  responseMimeType: 'string',
  responseJsonSchema: 'object',
  responseSchema: 'object',
  responseModalities: 'array',
  responseLogprobs: 'boolean',
  thinkingConfig: 'object',
} as const

/** A number, or one written as a string, as protocol buffers allow. */
function numberAt(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return value
  const text = value instanceof ExactNumber ? value.text : value
  const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : refuse(path, 'must_be_number')
}

const levels: Readonly<Record<string, Effort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
  XHIGH: 'xhigh',
}

/** `thinkingConfig`: a budget of -1 leaves it to the model, 0 turns thoughts off. */
function decodeThinking(value: unknown): { reasoning?: ReasoningRequest; rest: JsonObject } {
  const path = fieldNames.reasoning as string
  const config = camelFields(asObject(value) ?? {})
  requireTypes(config, { thinkingLevel: 'string', includeThoughts: 'boolean' }, path)
  const budget = numberAt(config.thinkingBudget, `${path}.thinkingBudget`)
  const effort = levels[(asString(config.thinkingLevel) ?? '').toUpperCase()]
  const isShown = typeof config.includeThoughts === 'boolean' ? config.includeThoughts : undefined
  const reasoning: ReasoningRequest = {
    ...(effort ? { effort } : {}),
    ...(budget === undefined ? {} : { budget: budget < 0 ? 'dynamic' : budget }),
    ...(budget === 0 && !effort ? { effort: 'none', mode: 'off' } : {}),
    ...(isShown === undefined ? {} : { isShown }),
  }
  const known = ['thinkingBudget', 'includeThoughts', ...(effort ? ['thinkingLevel'] : [])]
  return {
    ...(Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    rest: innerFields(path, config, new Set(known)),
  }
}

/** JSON as the answer's form; enumerations and other forms stay Google's own. */
function decodeOutput(config: JsonObject): {
  output?: OutputShape
  spelling: JsonObject
  rest: JsonObject
} {
  const type = asString(config.responseMimeType)
  const jsonSchema = asObject(config.responseJsonSchema)
  const schema = asObject(config.responseSchema)
  const names = ['responseMimeType', 'responseJsonSchema', 'responseSchema']
  if (type !== undefined && type !== 'application/json' && type !== 'text/plain') {
    const kept = names.filter((name) => config[name] !== undefined)
    return {
      spelling: {},
      rest: Object.fromEntries(kept.map((name) => [`generationConfig.${name}`, config[name]])),
    }
  }
  if (jsonSchema) return { output: { type: 'schema', schema: jsonSchema }, spelling: {}, rest: {} }
  if (schema) {
    const output: OutputShape = { type: 'schema', schema: decodeSchema(schema) }
    return { output, spelling: { responseSchema: schema }, rest: {} }
  }
  if (type === 'application/json') return { output: { type: 'json' }, spelling: {}, rest: {} }
  return { spelling: type === undefined ? {} : { responseMimeType: type }, rest: {} }
}

const modalityOf: Readonly<Record<string, 'text' | 'image' | 'audio'>> = {
  TEXT: 'text',
  IMAGE: 'image',
  AUDIO: 'audio',
}

function decodeModalities(value: unknown): Pick<ExchangeRequest, 'modalities'> {
  const words = asArray(value).map((word) => wordOf(word).toUpperCase())
  const modalities = words.flatMap((word) => ownValue(modalityOf, word) ?? [])
  if (modalities.length < words.length) {
    refuse(fieldNames.modalities as string, 'may_hold_google_modalities')
  }
  return modalities.length > 0 ? { modalities } : {}
}

/** The fields of `generationConfig`, what is kept of others, and how the own format spelled some. */
export function decodeConfig(value: unknown): {
  fields: Partial<ExchangeRequest>
  rest: JsonObject
  spelling: JsonObject
} {
  if (value !== undefined && value !== null && !asObject(value)) {
    refuse('generationConfig', 'must_be_object')
  }
  const config = camelFields(asObject(value) ?? {})
  requireTypes(config, types, 'generationConfig')
  const fields: Partial<ExchangeRequest> = {}
  for (const [name, wireName] of Object.entries(numberFields) as [NumberField, string][]) {
    const number = numberAt(config[wireName], `generationConfig.${wireName}`)
    if (number !== undefined) fields[name] = number
  }
  const stop = asArray(config.stopSequences).map(
    (text) => asString(text) ?? refuse('generationConfig.stopSequences', 'may_hold_strings'),
  )
  if (stop.length > 0) fields.stop = stop
  const known = new Set([
    ...Object.values(numberFields),
    'stopSequences',
    'responseMimeType',
    'responseJsonSchema',
    'responseSchema',
    'responseModalities',
    'thinkingConfig',
    'responseLogprobs',
  ])
  if (config.responseLogprobs === true) {
    fields.logprobs = numberAt(config.logprobs, 'generationConfig.logprobs') ?? 0
    known.add('logprobs')
  }
  const thinking = decodeThinking(config.thinkingConfig)
  const output = decodeOutput(config)
  return {
    fields: {
      ...fields,
      ...decodeModalities(config.responseModalities),
      ...(thinking.reasoning ? { reasoning: thinking.reasoning } : {}),
      ...(output.output ? { output: output.output } : {}),
    },
    rest: {
      ...innerFields('generationConfig', config, known),
      ...thinking.rest,
      ...output.rest,
    },
    spelling: output.spelling,
  }
}
