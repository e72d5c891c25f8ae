import { NestedEnd, UnexpectedByte } from './nested-end.ts'
import { TextEnd } from './text-end.ts'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Where a field's value stands, from `start` up to, not including, `end`, and what it is. */
export interface Field {
  name: string
  start: number
  end: number
  kind: JsonKind | undefined
  /** Of an array: what its first item is. */
  first: JsonKind | undefined
}

const QUOTE = 0x22
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** What the value is that begins with this byte; undefined stands for none. */
function kindOfCode(code: number): JsonKind | undefined {
  if (code === QUOTE) return 'string'
  if (code === OPEN_OBJECT) return 'object'
  if (code === OPEN_ARRAY) return 'array'
  if (code === CLOSE_ARRAY) return undefined
  if (code === 0x74 || code === 0x66) return 'boolean'
  return code === 0x6e ? 'null' : 'number'
}

/** The bytes from `start` up to `end` of what stands in pieces. */
export function sliceOf(pieces: readonly Buffer[], start: number, end: number): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const piece of pieces) {
    const next = at + piece.length
    if (next > start && at < end) {
      parts.push(piece.subarray(Math.max(0, start - at), Math.min(piece.length, end - at)))
    }
    at = next
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** What is looked for next. */
type Expected =
  | 'start'
  | 'first-name'
  | 'name'
  | 'name-end'
  | 'colon'
  | 'value'
  | 'first-item'
  | 'nested-end'
  | 'string-end'
  | 'literal-end'
  | 'comma'
  | 'nothing'

/** The top-level fields of a JSON object, and where its closing brace stands. */
export interface FoundFields {
  fields: readonly Field[]
  close: number
}

/**
 * Finds the top-level fields of a JSON object in bytes that come in pieces. Neither are those put
 * together nor is a text made of them: for a conversation of megabytes that costs about as much as the
 * look at it, and fills the young generation, so that other calls' objects grow old. Each piece is looked
 * at as it comes, so that nobody waits for a look at all of them.
 */
export class FieldFinder {
  readonly #fields: Field[] = []
  readonly #pieces: Buffer[] = []
  #expected: Expected = 'start'
  /** How many bytes there were before the next piece. */
  #base = 0
  /** How many bytes of a byte order mark have been passed over; 3 from the first other byte on. */
  #mark = 0
  readonly #text = new TextEnd()
  readonly #nested = new NestedEnd()
  /** Where the name or the value at hand begins. */
  #start = 0
  #name = ''
  #kind: JsonKind | undefined
  #first: JsonKind | undefined
  #close = -1

  /**
   * The next bytes. Throws SyntaxError, saying where, for what is no JSON in its structure, TypeError for what
   * is no object; then it takes no more.
   */
  push(piece: Buffer): void {
    this.#pieces.push(piece)
    let from = 0
    // A byte order mark is no part of JSON, but some clients send one.
    while (this.#mark < 3 && from < piece.length) {
      if (piece[from] !== BYTE_ORDER_MARK[this.#mark]) this.#mark = 3
      else {
        this.#mark++
        from++
      }
    }
    this.#look(piece, from, this.#base)
    this.#base += piece.length
  }

  /** What was found, when the last bytes have been pushed. Throws as `push` does. */
  end(): FoundFields {
    if (this.#expected === 'start') throw new TypeError('not an object')
    if (this.#expected !== 'nothing') throw new SyntaxError('it ends too early')
    return { fields: this.#fields, close: this.#close }
  }

  /** Looks at one piece, which begins at `base`. */
  #look(piece: Buffer, from: number, base: number): void {
    let index = from
    while (index < piece.length) {
      const expected = this.#expected
      if (expected.endsWith('-end')) index = this.#end(piece, index, base)
      else if (isSpace(piece[index] as number)) index++
      else index = this.#begin(piece, index, base)
    }
  }

  /** Takes the byte that something begins with; gives the index to go on at. */
  #begin(piece: Buffer, index: number, base: number): number {
    const code = piece[index] as number
    const at = base + index
    switch (this.#expected) {
      case 'start':
        if (code !== OPEN_OBJECT) throw new TypeError('not an object')
        this.#expected = 'first-name'
        return index + 1
      case 'first-name':
      case 'name':
        if (code === CLOSE_OBJECT && this.#expected === 'first-name') return this.#finish(at, index)
        if (code !== QUOTE) break
        this.#start = at
        this.#text.begin()
        this.#expected = 'name-end'
        return index + 1
      case 'colon':
        if (code !== COLON) break
        this.#expected = 'value'
        return index + 1
      case 'value':
        this.#start = at
        this.#kind = kindOfCode(code)
        this.#first = undefined
        this.#expected = expectedInside(code)
        if (this.#expected === 'literal-end') return index
        if (this.#expected === 'string-end') this.#text.begin()
        else this.#nested.begin(code)
        return index + 1
      case 'first-item':
        this.#first = kindOfCode(code)
        this.#expected = 'nested-end'
        return index
      case 'comma':
        if (code === CLOSE_OBJECT) return this.#finish(at, index)
        if (code !== COMMA) break
        this.#expected = 'name'
        return index + 1
    }
    return this.#fail(code, at)
  }

  /** Looks for the end of what has begun; gives the index to go on at. */
  #end(piece: Buffer, index: number, base: number): number {
    if (this.#expected === 'literal-end') return this.#endLiteral(piece, index, base)
    if (this.#expected === 'nested-end') return this.#endNested(piece, index, base)
    const end = this.#text.look(piece, index)
    if (!this.#text.isFound) return end
    if (this.#expected === 'string-end') this.#take(base + end)
    else {
      const raw = sliceOf(this.#pieces, this.#start + 1, base + end - 1).toString('utf8')
      this.#name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      this.#expected = 'colon'
    }
    return end
  }

  #endNested(piece: Buffer, from: number, base: number): number {
    try {
      const end = this.#nested.look(piece, from)
      if (this.#nested.isFound) this.#take(base + end)
      return end
    } catch (error) {
      if (!(error instanceof UnexpectedByte)) throw error
      return this.#fail(piece[error.index] as number, base + error.index)
    }
  }

  #endLiteral(piece: Buffer, from: number, base: number): number {
    let index = from
    for (; index < piece.length; index++) {
      const code = piece[index] as number
      if (code === COMMA || code === CLOSE_OBJECT || isSpace(code)) break
    }
    if (index === piece.length) return index
    const text = sliceOf(this.#pieces, this.#start, base + index).toString('latin1')
    if (!LITERAL.test(text)) {
      this.#fail(sliceOf(this.#pieces, this.#start, this.#start + 1)[0] as number, this.#start)
    }
    this.#take(base + index)
    return index
  }

  /** Takes the field whose value ends at `end`. */
  #take(end: number): void {
    this.#fields.push({
      name: this.#name,
      start: this.#start,
      end,
      kind: this.#kind,
      first: this.#first,
    })
    this.#expected = 'comma'
  }

  #finish(at: number, index: number): number {
    this.#close = at
    this.#expected = 'nothing'
    return index + 1
  }

  #fail(code: number, at: number): never {
    throw new SyntaxError(
      `unexpected ${JSON.stringify(String.fromCharCode(code))} at position ${at}`,
    )
  }
}

function expectedInside(code: number): Expected {
  if (code === QUOTE) return 'string-end'
  if (code === OPEN_ARRAY) return 'first-item'
  return code === OPEN_OBJECT ? 'nested-end' : 'literal-end'
}

/** What a FieldFinder finds in these bytes. */
export function findFields(pieces: readonly Buffer[]): FoundFields {
  const finder = new FieldFinder()
  for (const piece of pieces) finder.push(piece)
  return finder.end()
}
