import { parseExact, stringifyExact } from './exact-json.ts'
import {
  type Field,
  FieldFinder,
  type FoundFields,
  findFields,
  type JsonKind,
  piecesOf,
  sliceOf,
} from './find-fields.ts'
import { readingJson } from './invalid-json.ts'

/**
 * The top-level fields of a JSON object in its bytes. A body that is relayed between two speakers of one
 * wire format must reach the other side as it was written, number formatting, key order and unknown
 * fields included; so nothing is rebuilt. The fields are only found, and parsed where they are asked for: a
 * conversation of megabytes costs no more than a look at it. All of it is JSON.
 */
export class JsonFields {
  /** The bytes as they came, in one piece or several. */
  readonly pieces: readonly Buffer[]
  #whole: Buffer | null
  readonly #found: FoundFields
  #names: readonly string[] | null = null
  /** In bytes. */
  readonly size: number

  /**
   * Throws SyntaxError, saying where, for what is no JSON, TypeError for what is no object. `found` is what is
   * known of these very bytes already.
   */
  constructor(bytes: Buffer | readonly Buffer[], found: FoundFields | null = null) {
    this.pieces = Buffer.isBuffer(bytes) ? [bytes] : bytes
    this.#whole = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : null
    let size = 0
    for (const piece of this.pieces) size += piece.length
    this.size = size
    this.#found = found ?? findFields(this.pieces)
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
    // A byte order mark is no part of JSON, but some clients send one.
    const start = this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0
    return readingJson(
      () => JSON.parse(this.bytes.toString('utf8', start)) as Record<string, unknown>,
    )
  }

  /** Are all the bytes UTF-8? Where not, what is read from them has other characters in their place. */
  get isUtf8(): boolean {
    return this.#found.isUtf8
  }

  /** The fields' names; one that is written twice stands there twice. */
  names(): readonly string[] {
    this.#names ??= this.#found.fields.map(({ name }) => name)
    return this.#names
  }

  /** A field that is written more than once; undefined where each stands once. */
  repeated(): string | undefined {
    const names = this.names()
    const all = new Set(names)
    if (all.size === names.length) return undefined
    return names.find((name) => !all.delete(name))
  }

  /** A field's value as it is written, perhaps with white space behind it; empty where there is none. */
  textOf(name: string): string {
    const field = this.#last(name)
    return field ? this.#textOf(field) : ''
  }

  /** A field's bytes as they are written; empty where there is none. */
  rawOf(name: string): Buffer {
    const field = this.#last(name)
    return field ? sliceOf(this.pieces, field.start, field.end) : Buffer.alloc(0)
  }

  /** All bytes but those of a field's value from `start` up to, not including, `end`, counted from its beginning. */
  without(name: string, start: number, end: number): readonly Buffer[] {
    const offset = this.#last(name)?.start ?? 0
    const ranges = [
      [0, offset + start],
      [offset + end, this.size],
    ] as const
    return ranges.flatMap(([from, to]) => piecesOf(this.pieces, from, to))
  }

  /** A field's value, parsed; undefined where there is none. Of one written twice, the last. Throws `invalid_json`. */
  get(name: string): unknown {
    const field = this.#last(name)
    if (!field) return undefined
    const text = this.#textOf(field)
    return readingJson(() => JSON.parse(text) as unknown)
  }

  /** As `get`, for what is to be set again: a number that a double would change is an ExactNumber. */
  exact(name: string): unknown {
    const field = this.#last(name)
    if (!field) return undefined
    const text = this.#textOf(field)
    return readingJson(() => parseExact(text))
  }

  /** Kind of a field's value, without parsing it. */
  kind(name: string): JsonKind | undefined {
    return this.#last(name)?.kind
  }

  /** Kind of an array's first item; undefined for an empty one. */
  kindOfFirst(name: string): JsonKind | undefined {
    return this.#last(name)?.first
  }

  /**
   * The bytes with some fields set, every other byte as it was. A field that is there twice is set twice
   * (parsers disagree on which one counts); one that is missing is added last.
   */
  set(values: Readonly<Record<string, unknown>>): Buffer {
    const { fields, close } = this.#found
    const missing = new Set(Object.keys(values))
    const parts: Buffer[] = []
    let copied = 0
    for (const { name, start, end } of fields) {
      if (!Object.hasOwn(values, name)) continue
      parts.push(this.bytes.subarray(copied, start), Buffer.from(stringifyExact(values[name])))
      copied = end
      missing.delete(name)
    }
    if (missing.size > 0) {
      const added = [...missing].map(
        (name) => `${JSON.stringify(name)}:${stringifyExact(values[name])}`,
      )
      const separator = fields.length > 0 ? ',' : ''
      parts.push(this.bytes.subarray(copied, close), Buffer.from(separator + added.join(',')))
      copied = close
    }
    parts.push(this.bytes.subarray(copied))
    return Buffer.concat(parts)
  }

  /** As `set`, for the object at the end of these fields, each in the one before; unchanged where there is none. */
  setWithin(path: readonly string[], values: Readonly<Record<string, unknown>>): Buffer {
    const [name, ...rest] = path
    if (name === undefined) return this.set(values)
    const field = this.#last(name)
    if (field?.kind !== 'object') return this.bytes
    const object = new JsonFields(this.bytes.subarray(field.start, field.end))
    const inner = object.setWithin(rest, values)
    return Buffer.concat([
      this.bytes.subarray(0, field.start),
      inner,
      this.bytes.subarray(field.end),
    ])
  }

  #textOf({ start, end }: Field): string {
    return this.#found.text?.slice(start, end) ?? sliceOf(this.pieces, start, end).toString('utf8')
  }

  #last(name: string): Field | undefined {
    const { fields } = this.#found
    for (let index = fields.length - 1; index >= 0; index--) {
      if (fields[index]?.name === name) return fields[index]
    }
    return undefined
  }
}

/** Makes JsonFields of bytes while they come: all has been looked at when the last is there. */
export class JsonFieldsReader {
  readonly #pieces: Buffer[] = []
  readonly #finder = new FieldFinder()
  #fault: unknown = null

  push(piece: Buffer): void {
    this.#pieces.push(piece)
    if (this.#fault !== null) return
    try {
      this.#finder.push(piece)
    } catch (error) {
      // Thrown at the end of the body: clients read no answer before.
      this.#fault = error
    }
  }

  /** When the last bytes have come; `whole` is all of them. Throws as the constructor of JsonFields does. */
  end(whole: Buffer | null = null): JsonFields {
    if (this.#fault !== null) throw this.#fault
    return new JsonFields(whole ?? this.#pieces, this.#finder.end())
  }
}
