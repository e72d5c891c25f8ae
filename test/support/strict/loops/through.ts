import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type {
  AnswerTarget,
  ClientConversion,
  Conversion,
  ServerEvent,
} from '../../../../main/convert/conversion.ts'
import type { ExchangeRequest, WireFormat } from '../../../../main/convert/exchange.ts'
import { ForeignAnswer } from '../../../../main/convert/foreign/foreign-answer.ts'
import { withoutForeignContent } from '../../../../main/convert/foreign/foreign-content.ts'
import { generateContentConversion } from '../../../../main/convert/generate-content/conversion.ts'
import { parseExact, stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss, type LossEntry } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { type ModelRules, modelRules } from '../../../../main/convert/model/model-rules.ts'
import { completionsConversion } from '../../../../main/convert/other/completions/conversion.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import { spreadResponse } from '../../../../main/convert/stream/spread-response.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import { fitTools } from '../../../../main/convert/tools/fit-tools.ts'
import type { Json } from '../requests/refusal.ts'

export const conversions: Readonly<Record<WireFormat, Conversion>> = {
  chat: chatConversion,
  messages: messagesConversion,
  'generate-content': generateContentConversion,
  responses: responsesConversion,
}

/** One client's call on its way to an upstream of another format, and its answers' way back. */
export interface Passage {
  request: ExchangeRequest
  /** The body for the upstream. */
  body: Json
  losses: readonly LossEntry[]
  /** A part of the upstream's stream, as the client should see it. */
  shown(part: StreamPart): StreamPart[]
  /** A whole answer of the upstream, as the client gets it. */
  whole(answer: unknown): Json
  /** The events of a stream of the upstream, as the client's wire text. */
  stream(events: readonly ServerEvent[]): string
  /** The upstream's stream for a client that does not stream, and the reverse. */
  collected(events: readonly ServerEvent[]): Json
  spread(answer: unknown): string
}

/** Takes a body through the codecs as the relay does, without a network. */
export function pass(
  from: WireFormat | 'completions',
  to: WireFormat,
  body: Json,
  { model = 'some-model', rules: own = {} }: { model?: string; rules?: Partial<ModelRules> } = {},
): Passage {
  const client: ClientConversion =
    from === 'completions' ? completionsConversion : conversions[from]
  const upstream = conversions[to]
  const request = client.decodeRequest(parseExact(JSON.stringify(body)) as Json, {})
  const rules = modelRules(to, model, own)
  const loss = new Loss(client.fieldNames)
  if (from !== to) client.refuseForeign?.(request, loss)
  const fitted = fitTools(withoutForeignContent(request, to, loss), conversions[to], rules, loss)
  const encoded = upstream.encodeRequest(fitted.request, { model, rules, loss })
  const target: AnswerTarget = {
    id: 'call1234567890',
    model: 'asked-for',
    request,
    estimatedInput: 77,
    created: 1_790_000_000,
  }
  const asJson = (value: unknown) => JSON.parse(stringifyExact(value)) as Json
  const read = (answer: unknown) => upstream.decodeResponse(parseExact(JSON.stringify(answer)))
  const foreign = () => new ForeignAnswer(client.format, client.answerPlaces, loss)
  const restored = (answer: unknown) => foreign().whole(fitted.tools.restoreResponse(read(answer)))
  const decode = (events: readonly ServerEvent[]): StreamPart[] => {
    const decoder = upstream.createDecoder()
    const restore = fitted.tools.restoreStream()
    const shown = foreign()
    return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()]
      .flatMap(restore)
      .flatMap((part) => shown.part(part))
  }
  const encode = (parts: readonly StreamPart[]) => {
    const encoder = client.createEncoder(target)
    return parts.map((part) => encoder.push(part)).join('')
  }
  return {
    request,
    body: asJson(encoded),
    losses: loss.entries,
    shown: (part) => foreign().part(part),
    whole: (answer) => asJson(client.encodeResponse(restored(answer), target)),
    stream: (events) => encode(decode(events)),
    collected(events) {
      const collected = collectStream()
      for (const part of decode(events)) collected.push(part)
      return asJson(client.encodeResponse(collected.response(), target))
    },
    spread: (answer) => encode(spreadResponse(restored(answer))),
  }
}

/** The events of a stream's text. */
export function eventsOf(text: string): ServerEvent[] {
  return text
    .split(/\r?\n\r?\n/)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const lines = block.split(/\r?\n/)
      const field = (name: string) =>
        lines
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
      return { event: field('event')[0] ?? null, data: field('data').join('\n') }
    })
    .filter(({ data }) => data !== '')
}

/** The same as objects, without the closing `[DONE]`. */
export const objectsOf = (text: string): Json[] =>
  eventsOf(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as Json)
