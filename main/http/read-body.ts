import type { IncomingMessage } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { GatewayError } from '../base/errors.ts'
import { JsonFields } from '../convert/json-fields.ts'

const MEBIBYTE = 1024 * 1024

function tooLarge(limit: number): GatewayError {
  return new GatewayError('payload_too_large', {
    message: `The request body is larger than ${limit / MEBIBYTE} MiB (decoded).`,
  })
}

/** Zstandard came to node:zlib with 22.15; older runtimes do without. */
const zstd: (() => Transform) | undefined =
  'createZstdDecompress' in zlib ? () => zlib.createZstdDecompress() : undefined

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  zstd,
}

/** The decoders of a `content-encoding`, outermost first; at most two layers. */
function decodersFor(encoding: string | undefined): Transform[] {
  if (encoding === undefined) return []
  const names = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > 2) {
    throw new GatewayError('unsupported_encoding', {
      message: 'Content-Encoding: at most two codings may be layered.',
      field: 'content-encoding',
    })
  }
  return names.reverse().map((name) => {
    const make = decoders[name]
    if (!make) {
      const known = Object.keys(decoders).filter((one) => decoders[one] && !one.startsWith('x-'))
      throw new GatewayError('unsupported_encoding', {
        message: `Content-Encoding: "${name}" is not supported here. Send the body plain or in ${known.join(', ')}.`,
        field: 'content-encoding',
      })
    }
    return make()
  })
}

/** Who takes a request's decoded bytes; exactly one of `onEnd` and `onError` is called, and last. */
interface Taker {
  onChunk(chunk: Buffer): void
  onEnd(): void
  /** `payload_too_large`, `unsupported_encoding`, `corrupt_body` or `client_gone`. */
  onError(error: GatewayError): void
}

/** A request's decoded bytes on their way. */
interface Decoding {
  /** Where the bytes come from: it can be paused. */
  source: IncomingMessage | Transform
  /** No more is taken. The rest is read off and thrown away, so that the answer can reach the client. */
  stop(): void
}

/** Hands on the request's decoded bytes in the pieces in which they come, up to `limit` of them. */
function decode(request: IncomingMessage, limit: number, taker: Taker): Decoding {
  let source: IncomingMessage | Transform = request
  let layers: Transform[] = []
  let isOver = false
  const stop = () => {
    isOver = true
    request.unpipe()
    request.resume()
    for (const layer of layers) layer.destroy()
  }
  const fail = (error: GatewayError) => {
    if (isOver) return
    stop()
    taker.onError(error)
  }
  try {
    layers = decodersFor(request.headers['content-encoding'])
  } catch (error) {
    fail(error as GatewayError)
    return { source, stop }
  }
  for (const layer of layers) {
    source = source.pipe(layer)
    source.on('error', (cause: Error) =>
      fail(
        new GatewayError('corrupt_body', {
          message: `The request body is not valid ${request.headers['content-encoding']}.`,
          field: 'content-encoding',
          cause,
        }),
      ),
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    fail(tooLarge(limit))
    return { source, stop }
  }
  let size = 0
  source.on('data', (chunk: Buffer) => {
    if (isOver) return
    size += chunk.length
    if (size > limit) fail(tooLarge(limit))
    else taker.onChunk(chunk)
  })
  source.on('end', () => {
    if (isOver) return
    isOver = true
    taker.onEnd()
  })
  request.on('error', () =>
    fail(new GatewayError('client_gone', { message: 'The client left while sending.' })),
  )
  return { source, stop }
}

/** The request's decoded bytes in the pieces in which they came. */
function readPieces(request: IncomingMessage, limit: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    decode(request, limit, {
      onChunk: (chunk) => pieces.push(chunk),
      onEnd: () => resolve(pieces),
      onError: (error) => {
        pieces.length = 0
        reject(error)
      },
    })
  })
}

/**
 * The request's decoded bytes as a stream of at most `limit` bytes. It fails with `payload_too_large`,
 * `unsupported_encoding`, `corrupt_body` or `client_gone`; a failure that nobody listens to does no harm.
 * Destroying it leaves the connection to the answer.
 */
export function decodedBody(request: IncomingMessage, limit: number): Readable {
  const body = new Readable({
    read: () => decoding.source.resume(),
    destroy(error, done) {
      decoding.stop()
      done(error)
    },
  })
  body.on('error', () => {})
  const decoding = decode(request, limit, {
    onChunk: (chunk) => {
      if (!body.push(chunk)) decoding.source.pause()
    },
    onEnd: () => body.push(null),
    onError: (error) => {
      // Told while `decode` still runs where the head alone is wrong.
      process.nextTick(() => body.destroy(error))
    },
  })
  return body
}

function invalidJson(cause: unknown): GatewayError {
  const why = cause instanceof SyntaxError ? `is not valid JSON: ${cause.message}` : ''
  return new GatewayError('invalid_json', {
    message: `The request body ${why || 'must be a JSON object'}.`,
    cause,
  })
}

/** (4) The request's body, which must be a JSON object; `invalid_json` says where it is not. */
export async function readBody(request: IncomingMessage, limit: number): Promise<JsonFields> {
  const pieces = await readPieces(request, limit)
  try {
    return new JsonFields(pieces)
  } catch (cause) {
    throw invalidJson(cause)
  }
}

/** As `readBody`, parsed as a whole. */
export async function readObject(
  request: IncomingMessage,
  limit: number,
): Promise<Record<string, unknown>> {
  const body = await readBody(request, limit)
  try {
    return body.parse()
  } catch (cause) {
    throw invalidJson(cause)
  }
}
