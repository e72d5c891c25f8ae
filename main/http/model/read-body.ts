import type { IncomingMessage } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { GatewayError } from '../../base/errors.ts'
import { invalidJson } from '../../convert/json/invalid-json.ts'
import { type JsonFields, JsonFieldsReader } from '../../convert/json/json-fields.ts'
import type { BodyMemory } from '../../relay/limits/body-memory.ts'
import type { OpenCalls } from '../../relay/limits/open-calls.ts'
import { watchUpload } from './upload-clock.ts'

const MEBIBYTE = 1024 * 1024

function tooLarge(limit: number): GatewayError {
  return new GatewayError('payload_too_large', {
    message: `The request body is larger than ${limit / MEBIBYTE} MiB (decoded). Send less.`,
    reason: { code: 'body_too_large', mebibytes: limit / MEBIBYTE },
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
      reason: { code: 'codings_layered' },
      field: 'content-encoding',
    })
  }
  return names.reverse().map((name) => {
    const make = decoders[name]
    if (!make) {
      const known = Object.keys(decoders).filter((one) => decoders[one] && !one.startsWith('x-'))
      throw new GatewayError('unsupported_encoding', {
        message: `Content-Encoding: "${name}" is not supported here. Send the body plain or in ${known.join(', ')}.`,
        reason: { code: 'coding_unsupported', coding: name, known: known.join(', ') },
        field: 'content-encoding',
      })
    }
    return make()
  })
}

/** Receives a request's decoded bytes; exactly one of `onEnd` and `onError` is called, and last. */
interface Taker {
  onChunk(chunk: Buffer): void
  onEnd(): void
  /** `payload_too_large`, `unsupported_encoding`, `corrupt_body`, `request_timeout`, `client_gone`, or why calls are refused. */
  onError(error: GatewayError): void
}

/** A request's decoded bytes on their way. */
interface Decoding {
  /** Where the bytes come from: it can be paused. */
  source: IncomingMessage | Transform
  /** No more is taken. The rest is read off and thrown away, so that the answer can reach the client. */
  stop(): void
}

/** Knows when the gateway stops taking calls. */
type Stopping = Pick<OpenCalls, 'onRefusal'>

/**
 * Hands on the request's decoded bytes in the pieces in which they come, up to `limit` of them. Where `stopping` is
 * given, a client that is still sending when it comes to that is told so, and not just cut off. `longest` is the
 * most milliseconds that all of it may take.
 */
function decode(
  request: IncomingMessage,
  limit: number,
  taker: Taker,
  stopping: Stopping | null = null,
  longest = Infinity,
): Decoding {
  const length = Number(request.headers['content-length'] ?? Infinity)
  let source: IncomingMessage | Transform = request
  let layers: Transform[] = []
  let isOver = false
  let unlisten: (() => void) | null = null
  const stop = () => {
    isOver = true
    unlisten?.()
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
          message: `The request body is not valid ${request.headers['content-encoding']}. Send it uncompressed.`,
          reason: {
            ...{ code: 'body_corrupt', coding: String(request.headers['content-encoding']) },
          },
          field: 'content-encoding',
          cause,
        }),
      ),
    )
  }
  if (length > limit && length < Infinity) {
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
    unlisten?.()
    taker.onEnd()
  })
  // Most bodies come with their head, and are there by then.
  process.nextTick(() => {
    if (isOver || (layers.length === 0 && size >= length)) return
    watchUpload(request, fail, { longest })
    unlisten = stopping?.onRefusal(fail) ?? null
  })
  request.on('error', () =>
    fail(
      new GatewayError('client_gone', {
        message: 'The client left while sending.',
        reason: { code: 'client_left_sending' },
      }),
    ),
  )
  return { source, stop }
}

/** The request's decoded bytes, looked at as they come. */
function readFields(
  request: IncomingMessage,
  limit: number,
  memory: BodyMemory | null,
  stopping: Stopping | null,
  longest?: number,
  onPiece?: (piece: Buffer) => void,
): Promise<JsonFields> {
  return new Promise((resolve, reject) => {
    let reader: JsonFieldsReader | null = new JsonFieldsReader()
    let held = 0
    const fail = (error: unknown) => {
      reader = null
      memory?.release(held)
      held = 0
      reject(error)
    }
    const taker: Taker = {
      onChunk(chunk) {
        onPiece?.(chunk)
        reader?.push(chunk)
        if (!memory) return
        memory.hold(chunk.length)
        held += chunk.length
        if (!memory.isFull) return
        decoding.stop()
        fail(memory.refusal())
      },
      onEnd() {
        try {
          if (reader) resolve(reader.end())
        } catch (cause) {
          fail(invalidJson(cause))
        }
      },
      onError: fail,
    }
    const decoding = decode(request, limit, taker, stopping, longest)
  })
}

/**
 * The request's decoded bytes as a stream of at most `limit` bytes. It fails with `payload_too_large`,
 * `unsupported_encoding`, `corrupt_body` or `client_gone`; a failure that nobody listens to does no harm.
 * Destroying it leaves the connection to the answer. `longest` is the most milliseconds that it may take.
 */
export function decodedBody(request: IncomingMessage, limit: number, longest?: number): Readable {
  const body = new Readable({
    read: () => decoding.source.resume(),
    destroy(error, done) {
      decoding.stop()
      done(error)
    },
  })
  body.on('error', () => {})
  const taker: Taker = {
    onChunk: (chunk) => {
      if (!body.push(chunk)) decoding.source.pause()
    },
    onEnd: () => body.push(null),
    onError: (error) => {
      // A wrong head fails while `decode` still runs.
      process.nextTick(() => body.destroy(error))
    },
  }
  const decoding = decode(request, limit, taker, null, longest)
  return body
}

/**
 * (4) The request's body, which must be a JSON object; `invalid_json` says where it is not. Where `memory` is
 * given the body is held there until the caller releases its size; `gateway_busy` when there is no room. Where
 * `stopping` is given, it fails with why calls are refused when it comes to that before the body is there. `onPiece`
 * is shown the bytes as they come, also of a body that is refused.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  memory: BodyMemory | null = null,
  stopping: Stopping | null = null,
  onPiece?: (piece: Buffer) => void,
): Promise<JsonFields> => readFields(request, limit, memory, stopping, undefined, onPiece)

/** As `readBody`, parsed as a whole; it fails with `request_timeout` after `longest` milliseconds. */
export async function readObject(
  request: IncomingMessage,
  limit: number,
  longest: number,
): Promise<Record<string, unknown>> {
  const body = await readFields(request, limit, null, null, longest)
  try {
    return body.parse()
  } catch (cause) {
    throw invalidJson(cause)
  }
}
