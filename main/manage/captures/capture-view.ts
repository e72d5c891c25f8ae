import { z } from 'zod'
import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedRequest,
} from '../../capture/capture.ts'
import { readBody } from '../../inspect/body/body-content.ts'
import { viewBody } from '../../inspect/body/body-view.ts'
import { bordersOf } from '../../inspect/body/borders.ts'
import { reasonOutput } from '../operation/sentence.ts'

const border = z.string().describe('`client.request`, `client.answer`, `exchange.0.request`, …')
const time = z.number().describe('Milliseconds from the call’s arrival.')

const bodyView = z.strictObject({
  size: z.int().describe('Bytes that crossed the border.'),
  kept: z.int().describe('Bytes that were kept; fewer where the body was cut at the cap.'),
  kind: z.enum(['empty', 'json', 'events', 'text', 'bytes']),
  same_as: border.nullable().describe('An earlier border with the same bytes.'),
  text: z.string().nullable().describe('The first 65 536 characters; null for bytes.'),
  is_whole: z.boolean().describe('Is `text` the whole body?'),
})

const headers = z.array(z.tuple([z.string(), z.string()])).describe('Name and value, in order.')

const requestView = z.strictObject({
  at: time,
  method: z.string(),
  url: z.string(),
  headers,
  body: bodyView,
  files: z
    .array(
      z.strictObject({
        field: z.string(),
        name: z.string(),
        type: z.string(),
        size: z.int(),
        digest: z.string().describe('SHA-256, hex.'),
      }),
    )
    .describe('Of a form; their bytes are not kept.'),
})

const answerView = z.strictObject({
  at: time,
  status: z.int(),
  headers,
  body: bodyView,
  ended_at: time.nullable(),
  is_cut: z.boolean().describe('It ended before it was whole, or its reader left.'),
})

export const captureView = z.strictObject({
  id: z.string(),
  received_at: z.number().describe('Milliseconds since 1970.'),
  format: z.string(),
  model: z.string(),
  source: z.enum(['memory', 'disk']),
  client: z.strictObject({ request: requestView, answer: answerView.nullable() }),
  exchanges: z.array(
    z.strictObject({
      channel_id: z.int(),
      channel_name: z.string(),
      model: z.string(),
      format: z.string(),
      connected_at: time.nullable(),
      sent_at: time.nullable().describe('All of the request was on its way.'),
      request: requestView,
      answer: answerView.nullable(),
      failure: z
        .strictObject({ code: z.string(), message: z.string(), reason: reasonOutput.optional() })
        .nullable(),
    }),
  ),
  frames: z
    .array(
      z.strictObject({
        at: z.number().describe('Milliseconds from the session’s start.'),
        border: z.enum(['client-in', 'client-out', 'upstream-in', 'upstream-out']),
        is_binary: z.boolean(),
        size: z.int(),
        text: z.string().nullable().describe('The first 4096 characters; null for bytes.'),
      }),
    )
    .nullable()
    .describe('Of a WebSocket session.'),
})

/** Characters of a frame that are shown. */
const SHOWN_FRAME = 4096

type Borders = ReadonlyMap<string, CapturedBody>

const pairs = (list: readonly (readonly [string, string])[]): [string, string][] =>
  list.map(([name, value]) => [name, value])

function toBodyView(name: string, borders: Borders): z.infer<typeof bodyView> {
  const { sameAs, isWhole, ...rest } = viewBody(name, borders)
  return { ...rest, same_as: sameAs, is_whole: isWhole }
}

const toRequestView = (
  { at, method, url, headers: sent, files = [] }: CapturedRequest,
  name: string,
  borders: Borders,
): z.infer<typeof requestView> => ({
  at,
  method,
  url,
  headers: pairs(sent),
  body: toBodyView(`${name}.request`, borders),
  files: files.map((file) => ({ ...file })),
})

const toAnswerView = (
  answer: CapturedAnswer | null,
  name: string,
  borders: Borders,
): z.infer<typeof answerView> | null =>
  answer && {
    at: answer.at,
    status: answer.status,
    headers: pairs(answer.headers),
    body: toBodyView(`${name}.answer`, borders),
    ended_at: answer.endedAt,
    is_cut: answer.isCut,
  }

function frameText(data: Buffer, isBinary: boolean): string | null {
  const { text } = readBody({ chunks: [data], times: [], size: data.length })
  return isBinary || text === null ? null : text.slice(0, SHOWN_FRAME)
}

/** A capture as the inspector shows it at first. */
export function toCaptureView(capture: Capture): z.infer<typeof captureView> {
  const { id, receivedAt, format, model, source, client, exchanges, frames } = capture
  const borders = bordersOf(capture)
  return {
    id,
    received_at: receivedAt,
    format,
    model,
    source,
    client: {
      request: toRequestView(client.request, 'client', borders),
      answer: toAnswerView(client.answer, 'client', borders),
    },
    exchanges: exchanges.map((exchange, index) => ({
      channel_id: exchange.channelId,
      channel_name: exchange.channelName,
      model: exchange.model,
      format: exchange.format,
      connected_at: exchange.connectedAt,
      sent_at: exchange.sentAt ?? null,
      request: toRequestView(exchange.request, `exchange.${index}`, borders),
      answer: toAnswerView(exchange.answer, `exchange.${index}`, borders),
      failure: exchange.failure && { ...exchange.failure },
    })),
    frames:
      frames?.map(({ at, border: where, isBinary, data }) => ({
        at,
        border: where,
        is_binary: isBinary,
        size: data.length,
        text: frameText(data, isBinary),
      })) ?? null,
  }
}
