import { STATUS_CODES } from 'node:http'
import type {
  Capture,
  CapturedAnswer,
  CapturedBody,
  CapturedFrame,
  CapturedHeaders,
  CapturedRequest,
} from '../../capture/capture.ts'
import { bytesOf, isCutBody, keptOf, readBody } from '../body/body-content.ts'
import { isSecretHeader, withoutUrlKey } from './plain-call.ts'

/** Not known, in HAR's words. */
const UNKNOWN = -1
const VERSION = 'HTTP/1.1'

interface NameValue {
  name: string
  value: string
}

const headersOf = (headers: CapturedHeaders): NameValue[] =>
  headers.filter((one) => !isSecretHeader(one)).map(([name, value]) => ({ name, value }))

const valueOfHeader = (headers: CapturedHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

function cutComment(body: CapturedBody): { comment?: string } {
  if (!isCutBody(body)) return {}
  return { comment: `cut at ${keptOf(body)} of ${body.size} bytes` }
}

/** Where bytes can only stand as text, they stand as base64, and a comment says so. */
function postData({ body, headers, files }: CapturedRequest): Record<string, unknown> {
  if (body.size === 0 && !files) return {}
  const mimeType = valueOfHeader(headers, 'content-type') ?? 'application/octet-stream'
  const { text } = readBody(body)
  const params = (files ?? []).map(({ field, name, type, size, digest }) => ({
    name: field,
    fileName: name,
    contentType: type,
    comment: `${size} bytes, SHA-256 ${digest}; not kept`,
  }))
  return {
    postData: {
      mimeType,
      // The standard has either of the two, and Chrome reads both.
      ...(params.length > 0 ? { params } : {}),
      text: text ?? bytesOf(body).toString('base64'),
      ...(text === null ? { comment: 'base64' } : cutComment(body)),
    },
  }
}

function requestOf(request: CapturedRequest, url: string): Record<string, unknown> {
  const { method, headers, body } = request
  const { searchParams } = new URL(url)
  return {
    method,
    url,
    httpVersion: VERSION,
    cookies: [],
    headers: headersOf(headers),
    queryString: [...searchParams].map(([name, value]) => ({ name, value })),
    ...postData(request),
    headersSize: UNKNOWN,
    bodySize: body.size,
  }
}

/** Of a request that was never answered, as browsers write it. */
const noAnswer = (why: string) => ({
  status: 0,
  statusText: '',
  httpVersion: VERSION,
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: UNKNOWN,
  bodySize: UNKNOWN,
  _error: why,
})

function answerOf({ status, headers, body }: CapturedAnswer): Record<string, unknown> {
  const { text } = readBody(body)
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: VERSION,
    cookies: [],
    headers: headersOf(headers),
    content: {
      size: body.size,
      mimeType: valueOfHeader(headers, 'content-type') ?? 'x-unknown',
      ...(text === null
        ? { text: bytesOf(body).toString('base64'), encoding: 'base64' }
        : { text }),
      ...cutComment(body),
    },
    redirectURL: valueOfHeader(headers, 'location') ?? '',
    headersSize: UNKNOWN,
    bodySize: body.size,
  }
}

interface Pair {
  request: CapturedRequest
  answer: CapturedAnswer | null
  url: string
  comment: string
  /** Why there is no answer. */
  failure: string
  /** Of a WebSocket session. */
  frames: readonly CapturedFrame[]
}

/** Milliseconds to a hundredth. */
const rounded = (time: number) => Math.max(0, Math.round(time * 100) / 100)

/** Messages of a WebSocket session, as Chrome writes and reads them. */
function messagesOf(frames: readonly CapturedFrame[], receivedAt: number) {
  if (frames.length === 0) return {}
  const sent = new Set(['client-in', 'upstream-out'])
  return {
    _resourceType: 'websocket',
    _webSocketMessages: frames.map(({ at, border, isBinary, data }) => ({
      type: sent.has(border) ? 'send' : 'receive',
      // Seconds.
      time: (receivedAt + at) / 1000,
      opcode: isBinary ? 2 : 1,
      data: data.toString(isBinary ? 'base64' : 'utf8'),
    })),
  }
}

function entryOf(
  { request, answer, url, comment, failure, frames }: Pair,
  { id, receivedAt }: Capture,
) {
  const wait = answer ? rounded(answer.at - request.at) : 0
  const end = answer ? (answer.endedAt ?? answer.body.times.at(-1) ?? answer.at) : request.at
  const receive = answer ? rounded(end - answer.at) : 0
  return {
    pageref: id,
    startedDateTime: new Date(receivedAt + request.at).toISOString(),
    time: rounded(wait + receive),
    request: requestOf(request, url),
    response: answer ? answerOf(answer) : noAnswer(failure),
    cache: {},
    timings: {
      ...{ blocked: UNKNOWN, dns: UNKNOWN, connect: UNKNOWN, ssl: UNKNOWN },
      ...{ send: 0, wait, receive },
    },
    comment,
    ...messagesOf(frames, receivedAt),
  }
}

function entriesOf(capture: Capture, baseUrl: string) {
  const { client, exchanges, frames = [] } = capture
  const { request, answer } = client
  const framesAt = (side: string) => frames.filter(({ border }) => border.startsWith(side))
  const own: Pair = {
    request,
    answer,
    url: new URL(withoutUrlKey(request.url), baseUrl).href,
    comment: 'Client',
    failure: 'The call was never answered.',
    frames: framesAt('client'),
  }
  const tried = exchanges.map(
    (exchange, index): Pair => ({
      request: exchange.request,
      answer: exchange.answer,
      url: withoutUrlKey(exchange.request.url),
      comment: `Attempt ${index + 1}: ${exchange.channelName}`,
      failure: exchange.failure?.message ?? 'No answer began.',
      frames: index === exchanges.length - 1 ? framesAt('upstream') : [],
    }),
  )
  return [own, ...tried].map((pair) => entryOf(pair, capture))
}

/** Each call is a page: Firefox opens no archive without pages, and its requests stay together. */
const pageOf = ({ id, model, receivedAt }: Capture) => ({
  startedDateTime: new Date(receivedAt).toISOString(),
  id,
  title: model === '' ? id : `${model} ${id}`,
  pageTimings: { onContentLoad: UNKNOWN, onLoad: UNKNOWN },
})

/**
 * Calls as an HTTP archive: each client's request, and behind it those to the upstreams
 * (http://www.softwareishard.com/blog/har-12-spec/). `gone`: how many more were asked for and have no capture;
 * `leftOut`: how many were too many.
 */
export function har(
  captures: readonly Capture[],
  {
    baseUrl,
    version,
    gone = 0,
    leftOut = 0,
  }: { baseUrl: string; version: string; gone?: number; leftOut?: number },
): string {
  const ordered = [...captures].sort((one, other) => one.receivedAt - other.receivedAt)
  const count = (calls: number) => `${calls} more ${calls === 1 ? 'call' : 'calls'}`
  const missing = [
    ...(gone > 0 ? [`${count(gone)} ${gone === 1 ? 'has' : 'have'} no capture any more.`] : []),
    ...(leftOut > 0 ? [`${count(leftOut)} did not fit.`] : []),
  ]
  const log = {
    version: '1.2',
    creator: { name: 'Switchyard', version },
    pages: ordered.map(pageOf),
    entries: ordered.flatMap((capture) => entriesOf(capture, baseUrl)),
    ...(missing.length > 0 ? { comment: missing.join(' ') } : {}),
  }
  return `${JSON.stringify({ log }, null, 2)}\n`
}
