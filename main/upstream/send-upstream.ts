import { AnswerHandler } from './answer-handler.ts'
import { poolOf } from './connect/connections.ts'
import type { UpstreamAnswer, UpstreamRequest } from './request.ts'
import { Upload } from './upload.ts'

/** Bytes; a longer body is sent piece by piece, to notice when the upstream stops reading. */
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

/** Body for undici, with its length where undici needs it. */
interface Outgoing {
  body: Buffer | readonly Buffer[] | Upload | null
  length: number | null
}

/** A body of one piece goes as such, since that is sent faster; of several undici does not know the length. */
function outgoing({ body = [], contentLength, watcher = null }: UpstreamRequest): Outgoing {
  if (!Buffer.isBuffer(body) && Symbol.asyncIterator in body) {
    return { body: new Upload(body, watcher), length: contentLength ?? null }
  }
  const pieces = Buffer.isBuffer(body) ? [body] : body
  const length = lengthOf(pieces)
  if (length > LONG) return { body: new Upload(inPieces(pieces), watcher), length }
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
