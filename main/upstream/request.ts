import type { Cancellation } from '../base/cancellation.ts'
import { AnswerHandler } from './answer-handler.ts'
import type { UpstreamBody } from './body.ts'
import type { CheckAddress } from './checked-lookup.ts'
import type { ProxyChoice } from './choose-connector.ts'
import { poolOf } from './connections.ts'
import type { CheckThrough } from './connector.ts'
import type { TimeLimits } from './time-limits.ts'
import { Upload } from './upload.ts'
import type { WithheldSecrets } from './withheld-secrets.ts'

export type UpstreamHeaders = Record<string, string | string[] | undefined>

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Absolute http or https URL. */
  url: string
  headers: Record<string, string>
  /**
   * In one piece or several, an empty one has none; or still being made: what its making throws is what
   * the call fails with.
   */
  body?: Buffer | readonly Buffer[] | AsyncIterable<Buffer>
  /** Bytes of a body that is still being made; it is sent in chunked coding where that is not known. */
  contentLength?: number | null
  /** Ends the call; the promise then rejects with its reason, or the body ends with it. */
  cancellation?: Cancellation
  /**
   * Throws for an address that the host's name leads to and that must not be asked; then no connection is
   * made. A proxy looks names up itself, so that there it is asked about the proxy's own, or as `checkThrough` says.
   */
  checkAddress?: CheckAddress | undefined
  checkThrough?: CheckThrough | undefined
  /** What the connection is made through: URL of a proxy, or the system's; null or absent = none. */
  proxy?: ProxyChoice
  /** What is taken out of the answer's body. */
  withheld?: WithheldSecrets
  /** Where not given: 10 seconds for connecting, 300 of silence. */
  limits?: Readonly<TimeLimits>
}

/** An answer whose head has come; a redirect is given as it is, never followed. */
export interface UpstreamAnswer {
  status: number
  headers: UpstreamHeaders
  body: UpstreamBody
}

/** Of a body longer than this it is watched whether the upstream takes it, piece by piece. */
const LONG = 1024 * 1024
const PIECE = 128 * 1024

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}

async function* inPieces(body: readonly Buffer[]): AsyncGenerator<Buffer, void, undefined> {
  for (const one of body) {
    for (let at = 0; at < one.length; at += PIECE) yield one.subarray(at, at + PIECE)
  }
}

/** What undici is given, with its length where undici is to be told it. */
interface Outgoing {
  body: Buffer | readonly Buffer[] | Upload | null
  length: number | null
}

/** A body of one piece goes as such, since that is sent faster; of several undici does not know the length. */
function outgoing({ body = [], contentLength }: UpstreamRequest): Outgoing {
  if (!Buffer.isBuffer(body) && Symbol.asyncIterator in body) {
    return { body: new Upload(body), length: contentLength ?? null }
  }
  const pieces = Buffer.isBuffer(body) ? [body] : body
  const length = lengthOf(pieces)
  if (length > LONG) return { body: new Upload(inPieces(pieces)), length }
  return pieces.length > 1 ? { body: pieces, length } : { body: pieces[0] ?? null, length: null }
}

/**
 * Sends one request and resolves when the answer's head is there. Rejects with `upstream_unreachable`,
 * `upstream_timeout`, `upstream_invalid`, `channel_misconfigured` (a proxy that cannot be read), the
 * cancellation's reason, or what the body's making throws. The answer may
 * come before the body is sent whole; the rest is then not asked for any more.
 */
export function sendUpstream(request: UpstreamRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    const slash = request.url.indexOf('/', request.url.indexOf('://') + 3)
    const origin = slash < 0 ? request.url : request.url.slice(0, slash)
    const path = slash < 0 ? '/' : request.url.slice(slash)
    const { method, headers } = request
    const { body, length } = outgoing(request)
    const upload = body instanceof Upload ? body : null
    const handler = new AnswerHandler(request, upload, resolve, reject)
    if (request.cancellation?.reason) return
    // Without it undici would send the body in chunked coding.
    if (length !== null) headers['content-length'] = String(length)
    try {
      const { checkAddress, checkThrough, proxy, limits } = request
      const pool = poolOf(proxy, limits?.connect, checkAddress, checkThrough)
      // Any iterable is a body to undici; its types do not say so.
      pool.dispatch({ origin, path, method, headers, body: body as Buffer | null }, handler)
    } catch (error) {
      handler.fail(error)
    }
  })
}
