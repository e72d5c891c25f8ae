import { estimateTokens } from '../../../base/estimate-tokens.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import { countsNothing } from '../../estimate/counts-nothing.ts'
import type { StreamScanner, VendorError } from '../../events/stream-scanner.ts'
import type { Usage } from '../../exchange.ts'
import { TextEnd } from '../../json/text-end.ts'
import { readGenerateContentUsage } from '../answer/usage.ts'

const QUOTE = 0x22
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** Finds the bracket that closes a JSON array which comes in pieces; its texts are passed over natively. */
class ArrayEnd {
  #depth = 0
  readonly #text = new TextEnd()
  #isInText = false
  /** The array's own last bracket has come. */
  isReached = false

  push(piece: Buffer): void {
    for (let index = 0; index < piece.length; ) {
      if (this.#isInText) {
        index = this.#text.look(piece, index)
        this.#isInText = !this.#text.isFound
        continue
      }
      const byte = piece[index++] as number
      if (byte === QUOTE) {
        this.#isInText = true
        this.#text.begin()
      } else if (OPENING.has(byte)) this.#depth++
      else if (CLOSING.has(byte)) this.isReached = --this.#depth === 0
    }
  }
}

const EMPTY = Buffer.alloc(0)
const KEEP = 64 * 1024
/** An item that begins like this is an error; inside a text its quotes would be escaped. */
const ERROR_ITEM = /\{\s*"error"\s*:/g
/** How an array begins, a byte order mark aside, as Latin-1; then its first item's first key. */
const ARRAY = /^(?:\xef\xbb\xbf)?\s*\[/
const FIRST_KEY = /^(?:\xef\xbb\xbf)?[\s[{]*"([^"]*)"/
/** A text that isn't empty, or a function call. */
const CONTENT = /"text"\s*:\s*"[^"]|"functionCall"\s*:/
const USAGE = Buffer.from('"usageMetadata"')

/** The last usage in these bytes, or null. */
function usageIn(bytes: Buffer): Usage | null {
  const at = bytes.lastIndexOf(USAGE)
  if (at < 0) return null
  const text = bytes.toString('utf8', at)
  const object = /^"usageMetadata"\s*:\s*(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(text)?.[1]
  const modelVersion = /"modelVersion"\s*:\s*"([^"\\]*)"/.exec(text)?.[1]
  return object
    ? readGenerateContentUsage({ usageMetadata: JSON.parse(object), modelVersion })
    : null
}

/** The error that is an array's last item, or null. */
function errorAtEnd(text: string): VendorError | null {
  const at = [...text.matchAll(ERROR_ITEM)].at(-1)?.index
  if (at === undefined) return null
  try {
    return readVendorError(JSON.parse(text.slice(at).trimEnd().replace(/\]$/, '')))
  } catch {
    // It is part of an answer's arguments.
    return null
  }
}

/**
 * Watches a streamGenerateContent answer without `alt=sse`: one JSON array, `[{…}\n,\n{…}]`, sent in
 * pieces. Usage is cumulative, so the last one within the kept end is the answer's.
 */
export class ArrayScanner implements StreamScanner {
  readonly #closing = new ArrayEnd()
  #end: Buffer = EMPTY
  #size = 0
  /** The last usage before the kept end. */
  #usage: Usage | null = null
  readonly isTerminated = false
  readonly isAtBoundary = false
  hasBegun = false
  hasContent = false
  error: VendorError | null = null

  push(chunk: Buffer): Buffer {
    this.#size += chunk.length
    this.#closing.push(chunk)
    const joined = this.#end.length > 0 ? Buffer.concat([this.#end, chunk]) : chunk
    if (joined.length > KEEP) this.#usage = usageIn(joined) ?? this.#usage
    this.#end = joined.length > KEEP ? joined.subarray(joined.length - KEEP) : joined
    if (!this.hasBegun && this.error === null) this.#begin(joined)
    if (!this.hasContent && this.#size - chunk.length < KEEP)
      this.hasContent = CONTENT.test(joined.toString())
    return chunk
  }

  /** Looks at the first item's first key: an error there is no answer. */
  #begin(start: Buffer): void {
    // Without an array it is no stream, whatever its label.
    const text = start.toString('latin1', 0, 1000)
    if (!ARRAY.test(text)) return
    const key = FIRST_KEY.exec(text)?.[1]
    this.hasBegun = (key !== undefined && key !== 'error') || start.length > KEEP
    if (key !== 'error') return
    try {
      this.error = readVendorError(JSON.parse(start.toString().replace(/^\ufeff/, '')))
    } catch {
      // The rest of it is still to come.
    }
  }

  flush(): Buffer {
    if (this.hasBegun) this.error ??= errorAtEnd(this.#end.toString())
    return EMPTY
  }

  isWhole(): boolean {
    return this.#closing.isReached
  }

  usage(): Usage | null {
    const told = usageIn(this.#end) ?? this.#usage
    return told && this.hasContent && countsNothing(told) ? null : told
  }

  estimateOutput(): number {
    const texts = this.#end.toString().match(/"text"\s*:\s*"(?:[^"\\]|\\.)*"/g) ?? []
    const share = this.#size / Math.max(1, this.#end.length)
    return Math.ceil(estimateTokens(texts.join('')) * share)
  }
}
