import type { ExchangeRequest, MediaPart, Part, Turn } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { describedSchema, googleSchema } from '../../schema/json-schema.ts'
import type { Encoding } from '../encoding.ts'
import { spellingOf } from '../wire-fields.ts'
import { aloneReferences } from './alone-references.ts'
import { encodeThinking } from './encode-thinking.ts'

const LARGEST_SEED = 2 ** 31 - 1

function encodeSampling(request: ExchangeRequest, { isOwn, rules, loss }: Encoding): JsonObject {
  const config: JsonObject = {}
  const { temperature, topP, topK } = request
  const refuses = 'model_takes_no_setting'
  if (temperature !== undefined) {
    const path = loss.field('temperature')
    if (temperature < 0 || temperature > 2)
      loss.refuse(path, { code: 'must_be_between', least: 0, most: 2 })
    if (!isOwn && !rules.sampling) loss.drop(path, refuses)
    else config.temperature = isOwn ? temperature : Math.min(temperature, rules.temperatureMax)
    if (config.temperature !== undefined && config.temperature !== temperature) {
      loss.approximate(path, { code: 'model_takes_at_most', most: rules.temperatureMax })
    }
  }
  if (topP !== undefined) {
    if (topP < 0 || topP > 1)
      loss.refuse(loss.field('topP'), { code: 'must_be_between', least: 0, most: 1 })
    const isTaken = rules.sampling && (rules.bothSampling || temperature === undefined)
    if (isOwn || isTaken) config.topP = topP
    else loss.drop(loss.field('topP'), refuses)
  }
  if (topK !== undefined) {
    if (isOwn || (rules.sampling && rules.topK && topK >= 1)) config.topK = topK
    else loss.drop(loss.field('topK'), refuses)
  }
  for (const field of ['presencePenalty', 'frequencyPenalty'] as const) {
    if (request[field] === undefined) continue
    if (isOwn || rules.penalties) config[field] = request[field]
    else loss.drop(loss.field(field), refuses)
  }
  return config
}

function encodeSeed({ seed }: ExchangeRequest, { isOwn, rules, loss }: Encoding): JsonObject {
  if (seed === undefined) return {}
  const path = loss.field('seed')
  if (!isOwn && !rules.seed) {
    loss.drop(path, 'model_takes_no_setting')
    return {}
  }
  if (isOwn || (Number.isInteger(seed) && Math.abs(seed) <= LARGEST_SEED)) return { seed }
  loss.approximate(path, 'seed_cut')
  return { seed: Math.floor(Math.abs(seed)) % LARGEST_SEED }
}

function encodeStop({ stop }: ExchangeRequest, { isOwn, rules, loss }: Encoding): JsonObject {
  if (!stop || stop.length === 0) return {}
  const path = loss.field('stop')
  if (isOwn) return { stopSequences: stop }
  if (!rules.stop) {
    loss.drop(path, 'model_takes_no_setting')
    return {}
  }
  const filled = stop.filter((text) => text !== '')
  if (filled.length < stop.length) loss.drop(path, 'empty_stop_sequence')
  if (filled.length > rules.maxStop) {
    loss.approximate(path, { code: 'only_first', count: rules.maxStop })
  }
  return filled.length === 0 ? {} : { stopSequences: filled.slice(0, rules.maxStop) }
}

function encodeLimits(request: ExchangeRequest, { isOwn, rules, loss }: Encoding): JsonObject {
  const config: JsonObject = {}
  const { maxOutput, count, logprobs } = request
  if (maxOutput !== undefined) {
    const path = loss.field('maxOutput')
    if (maxOutput < 1) loss.refuse(path, { code: 'must_be_at_least', least: 1 })
    const most = (request.stream ? null : rules.maxWholeOutput) ?? rules.maxOutput
    config.maxOutputTokens = isOwn ? maxOutput : Math.min(maxOutput, most)
    if (config.maxOutputTokens !== maxOutput)
      loss.approximate(path, { code: 'output_at_most', most })
  }
  if (count !== undefined && (isOwn || count !== 1)) {
    if (count < 1 || count > 8)
      loss.refuse(loss.field('count'), { code: 'must_be_between', least: 1, most: 8 })
    config.candidateCount = count
  }
  if (logprobs !== undefined) {
    if (!isOwn && !rules.logprobs) {
      loss.refuse(loss.field('logprobs'), 'no_probabilities')
    }
    config.responseLogprobs = true
    if (logprobs > 0) config.logprobs = logprobs
  }
  return config
}

/** Older models answer in JSON or call functions, not both. */
const takesJson = (request: ExchangeRequest, { isOwn, rules }: Encoding): boolean =>
  isOwn ||
  ((request.output?.type === 'json' ? rules.jsonObject : rules.structuredOutput) &&
    (rules.jsonBesideTools || !request.tools.some(({ type }) => type !== 'hosted')))

function encodeOutput(request: ExchangeRequest, encoding: Encoding): JsonObject {
  const { output } = request
  const { isOwn, rules, loss } = encoding
  const spelling = isOwn ? spellingOf(request.native) : {}
  if (!output)
    return spelling.responseMimeType ? { responseMimeType: spelling.responseMimeType } : {}
  if (!takesJson(request, encoding)) return {}
  const responseMimeType = 'application/json'
  if (output.type === 'json') return { responseMimeType }
  if (output.strict === false) loss.approximate(loss.field('output'), 'schema_always_held')
  if (spelling.responseSchema) return { responseMimeType, responseSchema: spelling.responseSchema }
  const schema = describedSchema(output)
  if (rules.jsonSchemaField) {
    const responseJsonSchema = isOwn ? schema : aloneReferences(schema)
    return { responseMimeType, responseJsonSchema }
  }
  const responseSchema = googleSchema(schema, loss, loss.field('output'))
  return Object.keys(responseSchema).length > 0
    ? { responseMimeType, responseSchema }
    : { responseMimeType }
}

/** A sentence that asks for JSON where the model has no setting for it. */
export function jsonSentence(request: ExchangeRequest, encoding: Encoding): string | undefined {
  const { output } = request
  if (!output || takesJson(request, encoding)) return undefined
  const { loss } = encoding
  loss.approximate(loss.field('output'), 'output_in_system')
  const only = 'When you give your answer, give one JSON object only, without any text around it'
  if (output.type === 'json') return `${only}.`
  return `${only}, matching this JSON Schema: ${stringifyExact(describedSchema(output))}`
}

function encodeModalities({ modalities }: ExchangeRequest, { isOwn, loss }: Encoding): JsonObject {
  if (!modalities) return {}
  if (!isOwn && modalities.includes('audio')) {
    loss.refuse(loss.field('modalities'), 'no_audio_here')
  }
  // Text alone is the default.
  if (!isOwn && !modalities.includes('image')) return {}
  return { responseModalities: modalities.map((modality) => modality.toUpperCase()) }
}

/** All images of a conversation, those in results too. */
function imagesOf(turns: readonly Turn[]): MediaPart[] {
  const images: MediaPart[] = []
  const look = (part: Part) => {
    if (part.type === 'media' && part.kind === 'image') images.push(part)
    else if (part.type === 'result') for (const inner of part.parts) look(inner)
  }
  for (const { parts } of turns) for (const part of parts) look(part)
  return images
}

/** How closely images are looked at: said once for all, so the highest that any of them asks for. */
function encodeDetail({ turns }: ExchangeRequest, { isOwn, loss }: Encoding): JsonObject {
  if (isOwn) return {}
  const asking = imagesOf(turns)
  const set = asking.filter(({ detail }) => detail !== undefined && detail !== 'auto')
  if (set.length === 0) return {}
  const isLow = set.length === asking.length && set.every(({ detail }) => detail === 'low')
  const isHigh = set.some(({ detail }) => detail !== 'low')
  for (const { at } of set) {
    const note = isLow || isHigh ? 'detail_of_all' : 'detail_of_others'
    loss.approximate(`${at ?? 'image'}.detail`, note)
  }
  if (isHigh) return { mediaResolution: 'MEDIA_RESOLUTION_HIGH' }
  return isLow ? { mediaResolution: 'MEDIA_RESOLUTION_LOW' } : {}
}

/** `generationConfig`; empty where everything is left to the model. */
export function encodeConfig(request: ExchangeRequest, encoding: Encoding): JsonObject {
  const thinkingConfig = encodeThinking(request, encoding)
  return {
    ...encodeSampling(request, encoding),
    ...encodeSeed(request, encoding),
    ...encodeStop(request, encoding),
    ...encodeLimits(request, encoding),
    ...encodeOutput(request, encoding),
    ...encodeModalities(request, encoding),
    ...encodeDetail(request, encoding),
    ...(Object.keys(thinkingConfig).length > 0 ? { thinkingConfig } : {}),
  }
}
