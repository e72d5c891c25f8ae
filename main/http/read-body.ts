import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { GatewayError } from '../base/errors.ts'

/** A request's body: its decoded bytes, and what they say. */
export interface Payload {
  bytes: Buffer
  json: Record<string, unknown>
}

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
  const names = (encoding ?? '')
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

/** The request's decoded bytes; `payload_too_large`, `unsupported_encoding` or `corrupt_body`. */
export function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let source: IncomingMessage | Transform = request
    let layers: Transform[]
    const fail = (error: GatewayError) => {
      // The rest is read off and thrown away, so that the answer can reach the client.
      request.unpipe()
      request.resume()
      for (const layer of layers) layer.destroy()
      reject(error)
    }
    try {
      layers = decodersFor(request.headers['content-encoding'])
    } catch (error) {
      request.resume()
      reject(error)
      return
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
    if (Number(request.headers['content-length'] ?? 0) > limit) return fail(tooLarge(limit))
    const chunks: Buffer[] = []
    let size = 0
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        chunks.length = 0
        source.removeAllListeners('data')
        fail(tooLarge(limit))
      } else chunks.push(chunk)
    })
    source.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)),
    )
    request.on('error', () =>
      reject(new GatewayError('client_gone', { message: 'The client left while sending.' })),
    )
  })
}

/** Says where JSON breaks off, without quoting more of the body than a few characters. */
function jsonError(cause: unknown): GatewayError {
  const detail = cause instanceof Error ? cause.message.replace(/,? ?"[^]*$/, '') : ''
  return new GatewayError('invalid_json', {
    message: `The request body is not valid JSON${detail ? `: ${detail}` : ''}.`,
    cause,
  })
}

/** (4) The request's body as JSON object. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Payload> {
  const bytes = await readBytes(request, limit)
  let json: unknown
  try {
    // A byte order mark is no part of JSON, but some clients send one.
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    json = JSON.parse(bytes.toString('utf8', start))
  } catch (cause) {
    throw jsonError(cause)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new GatewayError('invalid_json', { message: 'The request body must be a JSON object.' })
  }
  return { bytes, json: json as Record<string, unknown> }
}
