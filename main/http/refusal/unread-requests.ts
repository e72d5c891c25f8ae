import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { requestId } from '../../base/ids.ts'
import type { Refusal } from './refusal-hint.ts'
import { type Head, newRequestRecord, type RefusalRecorder } from './refusal-recorder.ts'

/** An error of Node's HTTP parser, or of its clock. */
interface ReadError extends Error {
  code?: string
  reason?: string
  rawPacket?: Buffer
  bytesParsed?: number
}

/** Bytes of an unreadable head that are looked at. */
const LOOKED_AT = 16 * 1024
/** A TLS record of the kind that begins a connection (RFC 8446 §5.1). */
const TLS_HANDSHAKE = 0x16
/** How HTTP/2 begins without asking (RFC 9113 §3.4). */
const HTTP2_PREFACE = 'PRI * HTTP/2.0'

/** As Node answers: https://nodejs.org/api/http.html#event-clienterror */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The bytes of the head at fault: others of the connection may stand before it. */
function faultyBytes({ rawPacket, bytesParsed = 0 }: ReadError): Buffer {
  if (!rawPacket) return Buffer.alloc(0)
  const isHttp2 = rawPacket.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE
  const before = isHttp2 ? -1 : rawPacket.subarray(0, bytesParsed).lastIndexOf('\r\n\r\n')
  return rawPacket.subarray(before < 0 ? 0 : before + 4).subarray(0, LOOKED_AT)
}

/** The readable part of a request's head. */
function headIn(bytes: Buffer): Head {
  const [first = '', ...lines] = bytes.toString('latin1').split(/\r?\n/)
  const [, method = '', url = ''] = /^([A-Z][A-Z-]{0,19}) (\S+)/.exec(first) ?? []
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value = ''] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === undefined) break
    headers[name.toLowerCase()] ??= value
  }
  return { method, url, headers }
}

/** The message, and a hint where one is known. */
function wordsFor(error: ReadError, bytes: Buffer): Pick<Refusal, 'message' | 'reason' | 'hint'> {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      message: 'The request’s headers came too slowly. Send it again.',
      reason: { code: 'headers_slow' },
    }
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return {
      message: 'The request’s URL and headers are too large. Shorten them.',
      reason: { code: 'headers_large' },
    }
  }
  if (bytes[0] === TLS_HANDSHAKE) {
    return {
      message: 'The client began a TLS connection, but the gateway speaks plain HTTP.',
      reason: { code: 'began_with_tls' },
      hint: {
        message: 'Your tool called https://: begin its base URL with http://.',
        reason: { code: 'called_by_https' },
      },
    }
  }
  if (bytes.toString('latin1', 0, HTTP2_PREFACE.length) === HTTP2_PREFACE) {
    return {
      message: 'The client began with HTTP/2, but the gateway speaks HTTP/1.1.',
      reason: { code: 'began_with_http2' },
      hint: {
        message: 'Switch HTTP/2 off in your tool.',
        reason: { code: 'http2_off' },
      },
    }
  }
  const problem = error.reason ?? error.message
  return {
    message: `The request isn't valid HTTP/1.1: ${problem}.`,
    reason: { code: 'request_no_http', problem },
  }
}

/** The request that the connection is busy with. */
function currentRequest(socket: Socket): IncomingMessage | null {
  const { _httpMessage } = socket as Socket & { _httpMessage?: ServerResponse | null }
  return _httpMessage?.req ?? null
}

function noteUnreadable(error: ReadError, socket: Socket, refusals: RefusalRecorder): void {
  const { code = '' } = error
  const isTimeout = code === 'ERR_HTTP_REQUEST_TIMEOUT'
  // The others are of the network. A browser opens connections that it may never use.
  if (!(isTimeout || code.startsWith('HPE_')) || socket.bytesRead === 0) return
  const bytes = faultyBytes(error)
  const refusal: Refusal = {
    code: isTimeout ? 'request_timeout' : 'malformed_http',
    status: statuses[code] ?? 400,
    ...wordsFor(error, bytes),
  }
  const request = currentRequest(socket) ?? refusals.lastNoted(socket)
  const isInBody = request !== null && !request.complete
  if (!isInBody) refusals.noteUnread(socket, headIn(bytes), refusal)
  // If the client hangs up inside a body, the reader of that body records it.
  else if (code !== 'HPE_INVALID_EOF_STATE') {
    refusals.note(request, refusal, requestId(), newRequestRecord())
  }
}

/** Node answers what it can't read in its own way as long as nobody listens to that, so it is seen in passing. */
class WatchedServer extends http.Server {
  refusals: RefusalRecorder | null = null

  override emit(event: string, ...given: unknown[]): boolean {
    if (event === 'clientError' && this.refusals) {
      noteUnreadable(given[0] as ReadError, given[1] as Socket, this.refusals)
    }
    return super.emit(event, ...given)
  }
}

/**
 * A server that answers what never reaches its handler exactly as Node does by default, and tells `refusals`: bytes
 * that are no HTTP, a request without Host, an expectation that nobody meets, and CONNECT, which is for proxies.
 */
export function createWatchedServer(
  options: http.ServerOptions,
  serve: http.RequestListener,
  refusals: RefusalRecorder,
): http.Server {
  const noteRefused = (request: IncomingMessage, refusal: Refusal): void =>
    refusals.note(request, refusal, requestId(), newRequestRecord())

  /** RFC 9112 §3.2; Node's own check would answer without a word to anybody. */
  function isWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false
    response.writeHead(400, ['Connection', 'close'])
    response.end()
    const message = 'Host: an HTTP/1.1 request must have this header.'
    noteRefused(request, {
      ...{ code: 'missing_host', status: 400, message },
      reason: { code: 'host_header_missing' },
    })
    return true
  }

  const server = new WatchedServer(
    { ...options, requireHostHeader: false },
    (request, response) => {
      if (!isWithoutHost(request, response)) serve(request, response)
    },
  )
  server.refusals = refusals
  server.on('checkContinue', (request, response) => {
    if (isWithoutHost(request, response)) return
    response.writeContinue()
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => {
    if (isWithoutHost(request, response)) return
    response.writeHead(417)
    response.end()
    const message = 'Expect: only 100-continue is understood.'
    noteRefused(request, {
      ...{ code: 'expectation_failed', status: 417, message },
      reason: { code: 'expectation_unknown' },
    })
  })
  server.on('connect', (request, socket) => {
    socket.destroy()
    const message = 'CONNECT asks for a proxy, which this gateway is not.'
    noteRefused(request, {
      ...{ code: 'proxy_request', status: 0, message },
      reason: { code: 'asked_for_proxy' },
    })
  })
  return server
}
