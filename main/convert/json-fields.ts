import { Utf8Check } from '../base/utf8-check.ts'
import {
  countFields,
  type Field,
  FieldFinder,
  type FoundFields,
  findFields,
  type JsonKind,
  sliceOf,
  type Tokens,
  tokensOf,
  writtenValue,
} from './find-fields.ts'
import { readingJson } from './invalid-json.ts'

/** Up to this size a body is parsed as a whole. */
const PARSED_WHOLE = 8 * 1024

/** What a parsed value is. */
function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value === undefined ? undefined : (typeof value as JsonKind)
}

/**
 * The top-level fields of a JSON object in its bytes. A body that is relayed between two speakers of one
 * wire format must reach the other side as it was written, number formatting, key order and unknown
 * fields included; so nothing is rebuilt. A short body is parsed; in a long one the fields are only
 * found, so that a conversation of megabytes costs no more than a look at it. Either way all of it is JSON.
 */
export class JsonFields {
  /** The bytes as they came, in one piece or several. */
  readonly pieces: readonly Buffer[]
  #whole: Buffer | null
  /** Of a short body. */
  readonly #object: Record<string, unknown> | null
  #found: FoundFields | null
  #tokens: Tokens | null = null
  /** In bytes. */
  readonly size: number

  /**
   * Throws SyntaxError, saying where, for what is no JSON, TypeError for what is no object. `found` is what is
   * known of these very bytes already.
   */
  constructor(bytes: Buffer | readonly Buffer[], found: FoundFields | null = null) {
    this.pieces = Buffer.isBuffer(bytes) ? [bytes] : bytes
    this.#whole = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : null
    this.#found = found
    let size = 0
    for (const piece of this.pieces) size += piece.length
    this.size = size
    this.#object = size <= PARSED_WHOLE ? this.parse() : null
    if (!this.#object) this.#find()
  }

  /** The bytes in one piece. For a long body that costs a copy: where pieces will do, take those. */
  get bytes(): Buffer {
    this.#whole ??= Buffer.concat(this.pieces)
    return this.#whole
  }

  /** Do these bytes (two or more) stand anywhere in the body? */
  includes(bytes: Buffer): boolean {
    const overlap = bytes.length - 1
    let before: Buffer = Buffer.alloc(0)
    for (const piece of this.pieces) {
      if (piece.includes(bytes)) return true
      if (this.pieces.length === 1) return false
      // They may begin in one piece and end in the next.
      if (Buffer.concat([before, piece.subarray(0, overlap)]).includes(bytes)) return true
      before = (piece.length < overlap ? Buffer.concat([before, piece]) : piece).subarray(-overlap)
    }
    return false
  }

  /** The whole object, parsed; throws `invalid_json`. */
  parse(): Record<string, unknown> {
    if (this.#object) return this.#object
    // A byte order mark is no part of JSON, but some clients send one.
    const start = this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0
    const value = readingJson(() => JSON.parse(this.bytes.toString('utf8', start)) as unknown)
    if (kindOf(value) !== 'object') throw new TypeError('not an object')
    return value as Record<string, unknown>
  }

  /** Are all the bytes UTF-8? Where not, what is read from them has other characters in their place. */
  get isUtf8(): boolean {
    return this.#object ? Utf8Check.ofWhole(this.bytes) : this.#find().isUtf8
  }

  /** The fields' names; of one that is written twice, once or twice. */
  names(): readonly string[] {
    return this.#object ? Object.keys(this.#object) : this.#find().fields.map(({ name }) => name)
  }

  /** A field that is written more than once; undefined where each stands once. */
  repeated(): string | undefined {
    if (this.#object && countFields(this.#tokensHere()) === Object.keys(this.#object).length) {
      return undefined
    }
    const seen = new Set<string>()
    for (const { name } of this.#find().fields) {
      if (seen.has(name)) return name
      seen.add(name)
    }
    return undefined
  }

  /** A field's value as it is written, perhaps with white space behind it; empty where there is none. */
  textOf(name: string): string {
    if (this.#object) return writtenValue(this.#tokensHere(), name) ?? ''
    const field = this.#last(name)
    return field ? sliceOf(this.pieces, field.start, field.end).toString('utf8') : ''
  }

  /** A field's value, parsed; undefined where there is none. Of one written twice, the last. Throws `invalid_json`. */
  get(name: string): unknown {
    if (this.#object) return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
    const field = this.#last(name)
    if (!field) return undefined
    const text = sliceOf(this.pieces, field.start, field.end).toString('utf8')
    return readingJson(() => JSON.parse(text) as unknown)
  }

  /** What kind of value a field has, without parsing it. */
  kind(name: string): JsonKind | undefined {
    return this.#object ? kindOf(this.get(name)) : this.#last(name)?.kind
  }

  /** What kind of value the first item of an array has; undefined for an empty one. */
  kindOfFirst(name: string): JsonKind | undefined {
    if (!this.#object) return this.#last(name)?.first
    const value = this.get(name)
    return Array.isArray(value) ? kindOf(value[0]) : undefined
  }

  /**
   * The bytes with some fields set, every other byte as it was. A field that is there twice is set twice
   * (parsers disagree on which one counts); one that is missing is added last.
   */
  set(values: Readonly<Record<string, unknown>>): Buffer {
    const { fields, close } = this.#find()
    const missing = new Set(Object.keys(values))
    const parts: Buffer[] = []
    let copied = 0
    for (const { name, start, end } of fields) {
      if (!Object.hasOwn(values, name)) continue
      parts.push(this.bytes.subarray(copied, start), Buffer.from(JSON.stringify(values[name])))
      copied = end
      missing.delete(name)
    }
    if (missing.size > 0) {
      const added = [...missing].map(
        (name) => `${JSON.stringify(name)}:${JSON.stringify(values[name])}`,
      )
      const separator = fields.length > 0 ? ',' : ''
      parts.push(this.bytes.subarray(copied, close), Buffer.from(separator + added.join(',')))
      copied = close
    }
    parts.push(this.bytes.subarray(copied))
    return Buffer.concat(parts)
  }

  /** As `set`, for the object that stands in a field; unchanged where there is none. */
  setWithin(name: string, values: Readonly<Record<string, unknown>>): Buffer {
    const field = this.#last(name)
    if (field?.kind !== 'object') return this.bytes
    const inner = new JsonFields(this.bytes.subarray(field.start, field.end)).set(values)
    return Buffer.concat([
      this.bytes.subarray(0, field.start),
      inner,
      this.bytes.subarray(field.end),
    ])
  }

  /** Of a short body; quicker to have than the fields. */
  #tokensHere(): Tokens {
    this.#tokens ??= tokensOf(this.bytes)
    return this.#tokens
  }

  #find(): FoundFields {
    this.#found ??= findFields(this.pieces)
    return this.#found
  }

  #last(name: string): Field | undefined {
    return this.#find().fields.findLast((field) => field.name === name)
  }
}

/** Makes JsonFields of bytes while they come: of a long body all has been looked at when the last is there. */
export class JsonFieldsReader {
  readonly #pieces: Buffer[] = []
  #size = 0
  /** Of a long body. */
  #finder: FieldFinder | null = null
  #fault: unknown = null

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#size += piece.length
    if (this.#fault !== null || this.#size <= PARSED_WHOLE) return
    try {
      if (this.#finder) this.#finder.push(piece)
      else {
        this.#finder = new FieldFinder()
        for (const one of this.#pieces) this.#finder.push(one)
      }
    } catch (error) {
      // Told when the client has said all: it would not read an answer before.
      this.#fault = error
    }
  }

  /** When the last bytes have come; `whole` is all of them. Throws as the constructor of JsonFields does. */
  end(whole: Buffer | null = null): JsonFields {
    if (this.#fault !== null) throw this.#fault
    return new JsonFields(whole ?? this.#pieces, this.#finder?.end() ?? null)
  }
}
