import type { LossNote } from '../../../base/sentences/loss-notes.ts'
import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, Native, RequestField } from '../../exchange.ts'
import { keptFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import type { Encoding } from '../encoding.ts'
import { FORMAT, placeFields } from '../wire-fields.ts'
import { encodeConfig, jsonSentence } from './encode-config.ts'
import { encodeContents } from './encode-contents.ts'
import { encodeTools } from './encode-tools.ts'

/** Fields without a word here, and why. */
const without: Readonly<Partial<Record<RequestField, LossNote>>> = {
  logitBias: 'no_logit_bias',
  verbosity: 'upstream_takes_no_setting',
  user: 'no_user_name',
  metadata: 'no_metadata',
  cacheKey: 'google_caches',
}

/** Words of the other vendors for speed and price; null is Google's own default. */
const tiers: Readonly<Record<string, string | null>> = {
  auto: null,
  default: 'standard',
  standard: 'standard',
  standard_only: 'standard',
  flex: 'flex',
  priority: 'priority',
}

function encodeTier({ serviceTier }: ExchangeRequest, { isOwn, loss }: Encoding): JsonObject {
  if (serviceTier === undefined) return {}
  if (isOwn) return { serviceTier }
  const tier = tiers[serviceTier]
  if (tier === undefined) loss.drop(loss.field('serviceTier'), 'no_such_tier')
  return tier ? { serviceTier: tier } : {}
}

function noteLosses(request: ExchangeRequest, { isOwn, loss }: Encoding): void {
  for (const [field, note] of Object.entries(without) as [RequestField, LossNote][]) {
    if (request[field] !== undefined) loss.drop(loss.field(field), note)
  }
  if (request.previousResponseId !== undefined) {
    loss.refuse(loss.field('previousResponseId'), 'no_such_answer')
  }
  if (request.store === true && !isOwn) {
    loss.drop(loss.field('store'), 'keeps_no_answers')
  }
}

/** Clients of other formats know nothing of Google's logs: only those that ask for it have their requests kept. */
function encodeStore(
  { store }: ExchangeRequest,
  { isOwn }: Encoding,
  { storesUnasked }: RequestTarget,
): JsonObject {
  if (isOwn) return store === undefined ? {} : { store }
  return storesUnasked && store !== true ? { store: false } : {}
}

/** Anthropic's automatic caching: a mark on the prompt as a whole, which is one on its last part. */
function withoutPromptMark(
  { native }: ExchangeRequest,
  contents: readonly JsonObject[],
  { marks }: Encoding,
): Native | undefined {
  const mark = asObject(keptFields('messages', native).cache_control)
  if (!native || !mark || !marks) return native
  const { cache_control: _, ...fields } = native.fields
  const turn = contents.length - 1
  const part = asArray(contents[turn]?.parts).length - 1
  marks.push({ path: 'cache_control', ttl: asString(mark.ttl) ?? null, turn, part })
  return { ...native, fields }
}

/**
 * A generateContent body. The model and whether to stream are said by the path:
 * https://ai.google.dev/api/generate-content
 */
export function encodeRequest(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { rules, loss } = target
  const { origin } = request
  const encoding: Encoding = {
    ...{ origin, isOwn: origin === FORMAT, rules, loss },
    ...(target.cacheMarks ? { marks: target.cacheMarks } : {}),
  }
  const { contents, systemInstruction } = encodeContents(request.turns, encoding)
  const sentence = jsonSentence(request, encoding)
  const generationConfig = encodeConfig(request, encoding)
  const system = sentence
    ? { ...systemInstruction, parts: [...asArray(systemInstruction?.parts), { text: sentence }] }
    : systemInstruction
  noteLosses(request, encoding)
  const body: JsonObject = {
    ...(system ? { systemInstruction: system } : {}),
    contents,
    ...encodeTools(request, encoding),
    ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
    ...encodeTier(request, encoding),
    ...encodeStore(request, encoding, target),
  }
  // Objects of the own format's are shared with the request: what is placed inside them is copied first.
  for (const key of ['generationConfig', 'toolConfig']) {
    const object = asObject(body[key])
    if (object) body[key] = { ...object }
  }
  return placeFields(body, loss.native(withoutPromptMark(request, contents, encoding), FORMAT))
}
