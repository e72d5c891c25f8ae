import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type { AnswerTarget, ServerEvent } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest, Part, Turn, Usage } from '../../../../main/convert/exchange.ts'
import { stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { type ModelRules, modelRules } from '../../../../main/convert/model/model-rules.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { EventSplitter } from '../../../support/clients/split-events.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkChat } from '../../../support/strict/requests/check-chat.ts'

export type Json = Record<string, unknown>

export const turn = (role: Turn['role'], ...parts: (Part | string)[]): Turn => ({
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
})

/** A request that came from a client of the Messages format, unless `fields` say otherwise. */
export const request = (fields: Partial<ExchangeRequest> = {}): ExchangeRequest => ({
  origin: 'messages',
  model: 'asked-for',
  stream: false,
  turns: [turn('user', 'Hi')],
  tools: [],
  ...fields,
})

export const callPart = (id: string | null, name = 'get', args = '{}'): Part => ({
  type: 'call',
  id,
  name,
  kind: 'function',
  arguments: args,
})

export const resultPart = (callId: string | null, text: string, isError = false): Part => ({
  type: 'result',
  callId,
  name: null,
  kind: 'function',
  isError,
  parts: text === '' ? [] : [{ type: 'text', text }],
})

/** The body for an upstream's model, and the losses' header. */
export function encodeUnchecked(
  fields: Partial<ExchangeRequest>,
  model = 'deepseek-v4',
  overrides: Partial<ModelRules> = {},
): { body: Json; messages: Json[]; losses: string } {
  const loss = new Loss()
  const rules = modelRules('chat', model, overrides)
  const encoded = chatConversion.encodeRequest(request(fields), { model, rules, loss })
  const body = JSON.parse(stringifyExact(encoded)) as Json
  return { body, messages: body.messages as Json[], losses: loss.header() }
}

/** The same, where a strict upstream of that model has nothing against it. */
export const encode: typeof encodeUnchecked = (...given) => {
  const encoded = encodeUnchecked(...given)
  checkChat(encoded.body, new IssuedStates())
  return encoded
}

export const answerTarget = (fields: Partial<ExchangeRequest> = {}): AnswerTarget => ({
  id: 'call1',
  model: 'asked-for',
  request: request({ origin: 'chat', wantsStreamUsage: true, ...fields }),
  estimatedInput: 77,
  created: 1_790_000_000,
})

export function eventsOf(bytes: Buffer | string): ServerEvent[] {
  const splitter = new EventSplitter()
  return [...splitter.push(Buffer.from(bytes)), ...splitter.end()]
}

export const chunk = (delta: Json, finish: string | null = null, rest: Json = {}): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'upstream-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest,
  })}\n\n`

export const done = 'data: [DONE]\n\n'

export function decodeStream(...texts: string[]): StreamPart[] {
  const decoder = chatConversion.createDecoder()
  return [...eventsOf(texts.join('')).flatMap((event) => decoder.push(event)), ...decoder.end()]
}

export function encodeStream(parts: readonly StreamPart[], target = answerTarget()): string {
  const encoder = chatConversion.createEncoder(target)
  return parts.map((part) => encoder.push(part)).join('')
}

/** The chunks of a stream's text, without the closing `[DONE]`. */
export const chunksOf = (text: string): Json[] =>
  eventsOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Json)

export const choicesOf = (chunks: readonly Json[]): Json[] =>
  chunks.flatMap((one) => one.choices as Json[])

export const deltasOf = (text: string): Json[] =>
  choicesOf(chunksOf(text)).map(({ delta }) => delta as Json)

export const usage: Usage = {
  input: 50,
  cachedInput: 10,
  cacheWrite: 0,
  output: 9,
  reasoning: 4,
}

export const start: StreamPart = {
  type: 'response-start',
  id: 'up-1',
  model: 'upstream-model',
  created: 5,
}
