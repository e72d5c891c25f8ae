import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { Capture, CapturedHeaders } from '../../capture/capture.ts'
import { bytesOf, isCutBody, keptOf, readBody } from '../body/body-content.ts'

/** Headers of one connection, or set anew by each client; the body was decompressed. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
  ...['content-length', 'content-encoding', 'accept-encoding', 'expect', 'via', 'forwarded'],
  // A browser's, which other clients may not send.
  ...['origin', 'referer', 'dnt', 'priority'],
])
const FORWARDED = /^(?:x-forwarded-|x-real-ip$|sec-|http2-|proxy-)/
const SECRET = /authorization|api-?key|cookie|security-token|secret|signature/

/** Stands where the recorder has removed a key. */
const REMOVED = '[removed]'

/** Does the header carry a key, a cookie or a signature, or is one removed from it? */
export const isSecretHeader = ([name, value]: readonly [name: string, value: string]): boolean =>
  SECRET.test(name.toLowerCase()) || value.endsWith(REMOVED)

/** An address without the key that Gemini's clients put there and without removed ones, else as it is. */
export function withoutUrlKey(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s)
  const kept = query?.split('&').filter((one) => !(one.startsWith('key=') || one.endsWith(REMOVED)))
  return kept && kept.length > 0 ? `${path}?${kept.join('&')}` : path
}

/** A request as any client could send it again; its key is left out. */
export interface PlainCall {
  id: string
  method: string
  /** `http://127.0.0.1:4747`. */
  baseUrl: string
  path: string
  /** With its question mark; empty where there is none. */
  query: string
  headers: readonly (readonly [name: string, value: string])[]
  /** Empty where there is none. */
  body: string
  isJson: boolean
  /** The client's wire format. */
  format: string
}

const refusal = (message: string, reason: Reason) =>
  new GatewayError('conflict', { message, reason })

/** Throws `conflict` for a body of which not all is there. */
function wholeText({ client }: Capture): { body: string; isJson: boolean } {
  const { body, files } = client.request
  if (files) {
    const names = files.map(({ name }) => name).join(', ')
    throw refusal(
      `The call was a form, and its files are not kept (${names || 'none'}). Export it as HAR.`,
      { code: 'form_unexportable', files: names || '–' },
    )
  }
  if (isCutBody(body)) {
    throw refusal(
      `The request was cut at ${keptOf(body)} of ${body.size} bytes, so it can’t be sent again.`,
      { code: 'request_cut_unsendable', kept: keptOf(body), size: body.size },
    )
  }
  const { kind, text } = readBody(body)
  if (text !== null) return { body: text, isJson: kind === 'json' }
  const why = bytesOf(body).includes(0)
    ? 'The request’s body holds a NUL byte, which no shell argument and no source text can carry'
    : 'The request’s body isn’t UTF-8 text'
  throw refusal(`${why}. Export it as HAR or as a fixture.`, {
    code: bytesOf(body).includes(0) ? 'body_with_nul' : 'body_no_utf8',
  })
}

/** Headers that another client can send again: none of the connection, and none with a key. */
export const plainHeaders = (headers: CapturedHeaders): PlainCall['headers'] =>
  headers.filter((header) => {
    const name = header[0].toLowerCase()
    return !(ofConnection.has(name) || FORWARDED.test(name) || isSecretHeader(header))
  })

/** The client's request, ready to be written for another client. */
export function plainCall(capture: Capture, baseUrl: string): PlainCall {
  const { method, url, headers } = capture.client.request
  const [path = '', query] = withoutUrlKey(url).split(/\?(.*)/s)
  return {
    id: capture.id,
    method,
    baseUrl: baseUrl.replace(/\/$/, ''),
    // The console’s own calls need its session; a token’s go to the same paths under /v1.
    path: path.replace(/^\/pg\//, '/v1/'),
    query: query ? `?${query}` : '',
    headers: plainHeaders(headers),
    format: capture.format,
    ...wholeText(capture),
  }
}

/** The headers, with a type for a body that came without one. */
export function headersWithType({ headers, body, isJson }: PlainCall): PlainCall['headers'] {
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (isTyped || body === '') return headers
  return [...headers, ['content-type', isJson ? 'application/json' : 'text/plain']]
}
