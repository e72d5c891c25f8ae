import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  // In node:zlib from 22.15 on.
  ...('createZstdDecompress' in zlib ? { zstd: () => zlib.createZstdDecompress() } : {}),
}

/**
 * Unpacks an answer by its `content-encoding`; null for one that is plain, or packed in a way that isn't known here.
 * Names of codings have no case (RFC 9110 §8.4.1), and proxies write `identity` beside them.
 */
export function answerDecoder(encoding: string | readonly string[] | undefined): Transform | null {
  if (encoding === undefined) return null
  const names = String(encoding)
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
  const [name = ''] = names
  return names.length === 1 && Object.hasOwn(decoders, name) ? (decoders[name]?.() ?? null) : null
}
