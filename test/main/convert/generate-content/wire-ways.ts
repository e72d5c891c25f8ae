import { createParser } from 'eventsource-parser'
import type { AnswerTarget, ServerEvent } from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { parseExact, stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { type ModelRules, modelRules } from '../../../../main/convert/model/model-rules.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkGenerateContent } from '../../../support/strict/requests/check-generate-content.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

export const gemini3 = 'gemini-3.5-pro'
export const gemini25 = 'gemini-2.5-flash'

export const asJson = (value: unknown): Json => JSON.parse(stringifyExact(value)) as Json

/** A client's body as an exchange. */
export const decoded = (body: Json): ExchangeRequest =>
  generateContentConversion.decodeRequest(parseExact(JSON.stringify(body)) as Json, {})

/** An exchange as the body for a model, and what was lost: `dropped seed`. */
export function encoded(
  request: ExchangeRequest,
  model = gemini3,
  own: Partial<ModelRules> = {},
  fieldNames = {},
): { body: Json; losses: string[] } {
  const loss = new Loss(fieldNames)
  const rules = modelRules('generate-content', model, own)
  const body = generateContentConversion.encodeRequest(request, { model, rules, loss })
  return { body: asJson(body), losses: loss.entries.map(({ kind, path }) => `${kind} ${path}`) }
}

/** A request of an OpenAI client with these parts. */
export const asked = (request: Partial<ExchangeRequest>): ExchangeRequest => ({
  origin: 'chat',
  model: 'm',
  stream: false,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hi', at: 'messages[0]' }] }],
  tools: [],
  ...request,
})

/** Encodes and has the strict vendor look at it. */
export function taken(request: Partial<ExchangeRequest>, model = gemini3) {
  const { body, losses } = encoded(asked(request), model)
  checkGenerateContent(body, model, new IssuedStates())
  return { body, losses, config: (body.generationConfig ?? {}) as Json }
}

/** Why a request is refused; null where it is not. */
export const refusal = (request: Partial<ExchangeRequest>, model = gemini3) => {
  try {
    encoded(asked(request), model)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** The events of a stream whose bytes come in these pieces. */
export function eventsIn(pieces: readonly Buffer[]): ServerEvent[] {
  const events: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event: event ?? null, data }),
  })
  const decoder = new TextDecoder()
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }))
  parser.feed(`${decoder.decode()}\n\n`)
  return events
}

export function partsOf(events: readonly ServerEvent[]): StreamPart[] {
  const decoder = generateContentConversion.createDecoder()
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()]
}

/** The parts of chunks that are given as objects. */
export const partsOfChunks = (...chunks: unknown[]): StreamPart[] =>
  partsOf(chunks.map((chunk) => ({ event: null, data: JSON.stringify(chunk) })))

export const target = (about: Partial<AnswerTarget> = {}): AnswerTarget => ({
  id: 'answer-1',
  model: 'asked-for',
  request: asked({ origin: 'generate-content' }),
  estimatedInput: 9,
  created: 1_790_000_000,
  ...about,
})

/** The chunks that a client gets for these parts. */
export function chunksOf(parts: readonly StreamPart[], about: Partial<AnswerTarget> = {}): Json[] {
  const encoder = generateContentConversion.createEncoder(target(about))
  const text = parts.map((part) => encoder.push(part)).join('')
  return eventsIn([Buffer.from(text)]).map(({ data }) => JSON.parse(data) as Json)
}

interface Content {
  parts?: Json[]
}

/** All wire parts of a stream's chunks, for one candidate. */
export const wiresOf = (chunks: readonly Json[], index = 0): Json[] =>
  chunks.flatMap((chunk) =>
    ((chunk.candidates ?? []) as Json[])
      .filter((candidate) => (candidate.index ?? 0) === index)
      .flatMap((candidate) => (candidate.content as Content).parts ?? []),
  )
