import { estimateTokens } from '../../base/estimate-tokens.ts'
import type { Usage } from '../exchange.ts'
import { findFields } from '../json-bytes.ts'
import type { StreamScanner, VendorError } from '../stream-scanner.ts'
import { readGenerateContentUsage } from './usage.ts'

const EMPTY = Buffer.alloc(0)
const KEEP = 64 * 1024
const USAGE = Buffer.from('"usageMetadata"')

/**
 * Watches a streamGenerateContent answer without `alt=sse`: one JSON array, `[{…}\n,\n{…}]`, sent in
 * pieces. Usage is cumulative, so the last one within the kept end is the answer's.
 */
export class ArrayScanner implements StreamScanner {
  #end: Buffer = EMPTY
  #size = 0
  readonly isTerminated = false
  readonly isAtBoundary = false
  hasBegun = false
  readonly error: VendorError | null = null

  push(chunk: Buffer): Buffer {
    this.#size += chunk.length
    if (chunk.length > 0) this.hasBegun = true
    const joined = this.#end.length > 0 ? Buffer.concat([this.#end, chunk]) : chunk
    this.#end = joined.length > KEEP ? joined.subarray(joined.length - KEEP) : joined
    return chunk
  }

  flush(): Buffer {
    return EMPTY
  }

  isWhole(): boolean {
    return this.#end.toString('latin1').trimEnd().endsWith(']')
  }

  usage(): Usage | null {
    const at = this.#end.lastIndexOf(USAGE)
    if (at < 0) return null
    // An object is made of the rest, so that the one reader of top-level fields serves here too.
    const rest = Buffer.concat([Buffer.from('{'), this.#end.subarray(at)])
    const range = findFields(rest, new Set(['usageMetadata']))[0]?.range
    if (!range) return null
    try {
      const usageMetadata = JSON.parse(rest.toString('utf8', range.start, range.end)) as unknown
      return readGenerateContentUsage({ usageMetadata })
    } catch {
      return null
    }
  }

  estimateOutput(): number {
    const texts = this.#end.toString().match(/"text"\s*:\s*"(?:[^"\\]|\\.)*"/g) ?? []
    const share = this.#size / Math.max(1, this.#end.length)
    return Math.ceil(estimateTokens(texts.join('')) * share)
  }
}
