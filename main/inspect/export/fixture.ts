import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedHeaders,
  CapturedRequest,
} from '../../capture/capture.ts'
import { stringifyExact } from '../../convert/json/exact-json.ts'
import { bytesOf, isCutBody, jsonOf, keptOf, readBody } from '../body/body-content.ts'
import { eventsOf } from '../events/stream-view.ts'
import { prettyJson } from '../formats/pretty-json.ts'
import { isSecretHeader, withoutUrlKey } from './plain-call.ts'

const headersOf = (headers: CapturedHeaders) => headers.filter((header) => !isSecretHeader(header))

/** A body as JSON, text or base64, whichever holds it unchanged. */
function bodyOf(body: CapturedBody): Record<string, unknown> {
  const cut = isCutBody(body) ? { cut_at: keptOf(body), size: body.size } : {}
  const { kind, text } = readBody(body)
  if (kind === 'empty') return {}
  if (text === null) return { base64: bytesOf(body).toString('base64'), ...cut }
  const value = kind === 'json' ? jsonOf(body) : undefined
  return value === undefined ? { text, ...cut } : { json: value }
}

const requestOf = ({ method, url, headers, body, files }: CapturedRequest) => ({
  method,
  url: withoutUrlKey(url),
  headers: headersOf(headers),
  ...bodyOf(body),
  ...(files ? { files } : {}),
})

/** A stream as its events, each with its time. */
function answerOf(answer: CapturedAnswer | null) {
  if (!answer) return null
  const { at, status, headers, body, endedAt, isCut } = answer
  const events = eventsOf(answer)
  return {
    at,
    status,
    headers: headersOf(headers),
    ...(events.length > 0 ? { events } : bodyOf(body)),
    ended_at: endedAt,
    is_cut: isCut,
  }
}

/** A call as JSON to write tests with: both sides of the gateway, and every attempt. */
export function fixture({ id, receivedAt, format, model, client, exchanges }: Capture): string {
  const value = {
    id,
    received_at: new Date(receivedAt).toISOString(),
    format,
    model,
    client: { request: requestOf(client.request), answer: answerOf(client.answer) },
    exchanges: exchanges.map((exchange) => ({
      channel: exchange.channelName,
      model: exchange.model,
      format: exchange.format,
      request: requestOf(exchange.request),
      answer: answerOf(exchange.answer),
      failure: exchange.failure,
    })),
  }
  return `${prettyJson(stringifyExact(value))}\n`
}
