import { Utf8Check } from '../../base/text/utf8-check.ts'
import { JsonFault } from './invalid-json.ts'
import { JsonScan } from './scan-json.ts'
import { STATE, WINDOW } from './scan-json-tables.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Where a field's value stands, from `start` up to, not including, `end`, and what it is. */
export interface Field {
  name: string
  start: number
  end: number
  kind: JsonKind | undefined
  /** Kind of an array's first item. */
  first: JsonKind | undefined
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Kind of the value that begins with this byte; undefined for none. */
function kindOfCode(code: number): JsonKind | undefined {
  if (code === QUOTE) return 'string'
  if (code === OPEN_OBJECT) return 'object'
  if (code === OPEN_ARRAY) return 'array'
  if (code === CLOSE_ARRAY) return undefined
  if (code === 0x74 || code === 0x66) return 'boolean'
  return code === 0x6e ? 'null' : 'number'
}

/** The bytes from `start` up to `end` of what stands in pieces, in pieces. */
export function piecesOf(pieces: readonly Buffer[], start: number, end: number): Buffer[] {
  const parts: Buffer[] = []
  let at = 0
  for (const piece of pieces) {
    const next = at + piece.length
    if (next > start && at < end) {
      parts.push(piece.subarray(Math.max(0, start - at), Math.min(piece.length, end - at)))
    }
    at = next
  }
  return parts
}

/** The same in one piece. */
export function sliceOf(pieces: readonly Buffer[], start: number, end: number): Buffer {
  const parts = piecesOf(pieces, start, end)
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** The name that is written in a text, behind which white space may stand. */
function nameIn(written: string): string {
  const raw = written.trimEnd()
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
}

/** Kind of the next token. */
type Expected = 'start' | 'name' | 'colon' | 'value' | 'first-item' | 'nested-end' | 'comma'

/** Bytes up to which a body that came in one piece is made a text, of which names and values are parts. */
const SHORT = 8 * 1024

/** The top-level fields of a JSON object, and where its closing brace stands. */
export interface FoundFields {
  fields: readonly Field[]
  close: number
  /** Are all the bytes UTF-8? */
  isUtf8: boolean
  /** The bytes as a text, a character each; of a short body that is ASCII. */
  text: string | null
}

/**
 * Finds the top-level fields of a JSON object in bytes that come in pieces, and checks that they are JSON to the
 * last of them. Neither are those put together nor is a text made of them: for a conversation of megabytes that
 * costs about as much as the look at it, and fills the young generation, so that other calls' objects grow old.
 * Each piece is looked at as it comes, so that nobody waits for a look at all of them.
 */
export class FieldFinder {
  readonly #fields: Field[] = []
  readonly #pieces: Buffer[] = []
  readonly #scan = new JsonScan()
  readonly #utf8 = new Utf8Check()
  #expected: Expected = 'start'
  /** How many bytes there were before the next piece. */
  #base = 0
  /** How many bytes of a byte order mark have been passed over; 3 from the first other byte on. */
  #mark = 0
  /** Where the name or the value at hand begins. */
  #start = 0
  #name = ''
  #kind: JsonKind | undefined
  #first: JsonKind | undefined
  /** Where an object or array ends; -1 for other values. */
  #end = -1
  #close = -1
  #text: string | null = null

  /**
   * The next bytes. Throws SyntaxError, saying where, for what is no JSON, TypeError for what is no object; then it
   * takes no more.
   */
  push(piece: Buffer): void {
    this.#pieces.push(piece)
    let from = 0
    // A byte order mark is no part of JSON, but some clients send one.
    while (this.#mark < 3 && from < piece.length) {
      if (piece[from] !== BYTE_ORDER_MARK[this.#mark]) {
        if (this.#mark > 0) throw new TypeError('not an object')
        this.#mark = 3
      } else {
        this.#mark++
        from++
      }
    }
    if (from === 0 && piece.length <= WINDOW) this.#look(piece, this.#base)
    else {
      for (; from < piece.length; from += WINDOW) {
        this.#look(piece.subarray(from, from + WINDOW), this.#base + from)
      }
    }
    this.#base += piece.length
  }

  /** The fields found, after the last bytes were pushed. Throws as `push` does. */
  end(): FoundFields {
    const { state } = this.#scan
    this.#scan.end()
    if (state === STATE.start) throw new TypeError('not an object')
    if (state !== STATE.nothing) {
      throw new JsonFault('it ends too early', { code: 'json_ends_early' })
    }
    const isUtf8 = this.#utf8.end()
    const text = this.#pieces.length === 1 ? this.#text : null
    return { fields: this.#fields, close: this.#close, isUtf8, text }
  }

  /** Looks at one window, which begins at `base`. */
  #look(window: Buffer, base: number): void {
    const scan = this.#scan
    const count = scan.take(window)
    if (count < 0) this.#fail(window, -1 - count, base)
    if (scan.wasBeyondAscii) {
      this.#utf8.push(window)
      this.#text = null
    } else {
      this.#utf8.end()
      this.#text = base === 0 && window.length <= SHORT ? window.toString('latin1') : null
    }
    for (let index = 0; index < count; index++) {
      const at = scan.tokenAt(index)
      this.#take(window[at] as number, base + at)
    }
  }

  /** Takes the next token: `code` is its first byte. All are where they belong. */
  #take(code: number, at: number): void {
    switch (this.#expected) {
      case 'start':
        this.#expected = 'name'
        return
      case 'name':
        this.#start = at
        if (code === QUOTE) this.#expected = 'colon'
        else this.#close = at
        return
      case 'colon':
        this.#name = this.#nameUpTo(at)
        this.#expected = 'value'
        return
      case 'value':
        this.#start = at
        this.#end = -1
        this.#kind = kindOfCode(code)
        this.#first = undefined
        this.#expected =
          code === OPEN_ARRAY ? 'first-item' : code === OPEN_OBJECT ? 'nested-end' : 'comma'
        return
      case 'first-item':
        this.#first = kindOfCode(code)
        this.#expected = 'nested-end'
        if (code === CLOSE_ARRAY) this.#endNested(at)
        return
      case 'nested-end':
        this.#endNested(at)
        return
      case 'comma':
        this.#takeField(at)
        this.#expected = 'name'
        if (code !== COMMA) this.#close = at
    }
  }

  #endNested(at: number): void {
    this.#end = at + 1
    this.#expected = 'comma'
  }

  /** The name that stands before a colon. */
  #nameUpTo(colon: number): string {
    const base = this.#base
    if (this.#text !== null && base === 0) return nameIn(this.#text.slice(this.#start, colon))
    return nameIn(
      this.#start < base
        ? sliceOf(this.#pieces, this.#start, colon).toString()
        : (this.#pieces.at(-1) as Buffer).toString('utf8', this.#start - base, colon - base),
    )
  }

  /** Takes the field behind whose value a comma or the object's end stands at `next`. */
  #takeField(next: number): void {
    this.#fields.push({
      name: this.#name,
      start: this.#start,
      end: this.#end < 0 ? this.#endBefore(next) : this.#end,
      kind: this.#kind,
      first: this.#first,
    })
  }

  /** Index behind the last byte before `next` that is no white space. */
  #endBefore(next: number): number {
    let end = next
    let base = this.#base
    for (let index = this.#pieces.length - 1; ; base -= this.#pieces[index]?.length ?? 0) {
      const piece = this.#pieces[index--] as Buffer
      while (end > base) {
        if (!isSpace(piece[end - base - 1] as number)) return end
        end--
      }
    }
  }

  #fail(window: Buffer, index: number, base: number): never {
    const { state } = this.#scan
    this.#scan.end()
    if (state === STATE.start) throw new TypeError('not an object')
    const found = JSON.stringify(String.fromCharCode(window[index] as number))
    const position = base + index
    throw new JsonFault(`unexpected ${found} at position ${position}`, {
      code: 'json_unexpected',
      ...{ found, position },
    })
  }
}

/** The fields that a FieldFinder finds in these bytes. */
export function findFields(pieces: readonly Buffer[]): FoundFields {
  const finder = new FieldFinder()
  for (const piece of pieces) finder.push(piece)
  return finder.end()
}
