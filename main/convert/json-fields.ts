export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Where a field's value stands, from `start` up to, not including, `end`, and what it is. */
interface Field {
  name: string
  start: number
  end: number
  kind: JsonKind | undefined
  /** Of an array: what its first item is. */
  first: JsonKind | undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/
/** Up to this size a body is parsed as a whole, which finds every fault. */
const PARSED_WHOLE = 8 * 1024

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function skipSpace(text: string, from: number): number {
  let index = from
  while (isSpace(text.charCodeAt(index))) index++
  return index
}

function fail(at: number, text: string): never {
  throw new SyntaxError(
    at >= text.length
      ? 'it ends too early'
      : `unexpected ${JSON.stringify(text[at])} at position ${at}`,
  )
}

/** Index just behind the string that opens at `open`. */
function skipString(text: string, open: number): number {
  for (let from = open + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) return fail(text.length, text)
    let slash = close
    while (text.charCodeAt(slash - 1) === BACKSLASH && slash - 1 > open) slash--
    if ((close - slash) % 2 === 0) return close + 1
    from = close + 1
  }
}

/** Index just behind the object or array that opens at `open`. */
function skipNested(text: string, open: number): number {
  const closers: number[] = []
  for (let index = open; index < text.length; ) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = skipString(text, index)
      continue
    }
    if (code === OPEN_OBJECT) closers.push(CLOSE_OBJECT)
    else if (code === OPEN_ARRAY) closers.push(CLOSE_ARRAY)
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (closers.pop() !== code) return fail(index, text)
      if (closers.length === 0) return index + 1
    }
    index++
  }
  return fail(text.length, text)
}

function skipValue(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === QUOTE) return skipString(text, start)
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return skipNested(text, start)
  let end = start
  for (; end < text.length; end++) {
    const one = text.charCodeAt(end)
    if (one === COMMA || one === CLOSE_OBJECT || isSpace(one)) break
  }
  return LITERAL.test(text.slice(start, end)) ? end : fail(start, text)
}

/** What the value at `index` is, of which only the beginning is looked at; undefined stands for none. */
function kindAt(text: string, index: number): JsonKind | undefined {
  const code = text.charCodeAt(index)
  if (code === QUOTE) return 'string'
  if (code === OPEN_OBJECT) return 'object'
  if (code === OPEN_ARRAY) return 'array'
  if (code === CLOSE_ARRAY) return undefined
  if (code === 0x74 || code === 0x66) return 'boolean'
  return code === 0x6e ? 'null' : 'number'
}

/** Index just behind the last field; `fields` takes what is found. */
function scan(bytes: Buffer, text: string, fields: Field[]): number {
  let index = skipSpace(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0)
  if (text.charCodeAt(index) !== OPEN_OBJECT) throw new TypeError('not an object')
  index = skipSpace(text, index + 1)
  if (text.charCodeAt(index) === CLOSE_OBJECT) return index
  for (;;) {
    if (text.charCodeAt(index) !== QUOTE) return fail(index, text)
    const nameEnd = skipString(text, index)
    // From the bytes: a slice of the text would be Latin-1, and keep all of the text alive.
    const raw = bytes.toString('utf8', index + 1, nameEnd - 1)
    const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
    index = skipSpace(text, nameEnd)
    if (text.charCodeAt(index) !== COLON) return fail(index, text)
    const start = skipSpace(text, index + 1)
    const end = skipValue(text, start)
    const kind = kindAt(text, start)
    const first = kind === 'array' ? kindAt(text, skipSpace(text, start + 1)) : undefined
    fields.push({ name, start, end, kind, first })
    index = skipSpace(text, end)
    const code = text.charCodeAt(index)
    if (code === CLOSE_OBJECT) return index
    if (code !== COMMA) return fail(index, text)
    index = skipSpace(text, index + 1)
  }
}

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
 * found, so that a conversation of megabytes costs no more than a look at it.
 */
export class JsonFields {
  readonly bytes: Buffer
  /** Of a short body. */
  readonly #object: Record<string, unknown> | null
  #found: { fields: readonly Field[]; end: number } | null = null

  /**
   * Throws SyntaxError, saying where, for what is no JSON, TypeError for what is no object. Beyond 8 KiB only the structure is
   * checked: whoever the bytes are for parses them anyway.
   */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#object = bytes.length <= PARSED_WHOLE ? this.parse() : null
    if (!this.#object) this.#find()
  }

  /** The whole object, parsed. */
  parse(): Record<string, unknown> {
    if (this.#object) return this.#object
    // A byte order mark is no part of JSON, but some clients send one.
    const start = this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0
    const value = JSON.parse(this.bytes.toString('utf8', start)) as unknown
    if (kindOf(value) !== 'object') throw new TypeError('not an object')
    return value as Record<string, unknown>
  }

  /** A field's value, parsed; undefined where there is none. Of one written twice, the last. */
  get(name: string): unknown {
    if (this.#object) return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined
    const field = this.#last(name)
    return field ? JSON.parse(this.bytes.toString('utf8', field.start, field.end)) : undefined
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
    const { fields, end: close } = this.#find()
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

  /** The fields, and where the closing brace stands. */
  #find(): { fields: readonly Field[]; end: number } {
    if (this.#found) return this.#found
    // Latin-1 makes every byte one character, so that positions in the text are positions in the bytes.
    const text = this.bytes.toString('latin1')
    const fields: Field[] = []
    const end = scan(this.bytes, text, fields)
    const rest = skipSpace(text, end + 1)
    if (rest < text.length) fail(rest, text)
    this.#found = { fields, end }
    return this.#found
  }

  #last(name: string): Field | undefined {
    return this.#find().fields.findLast((field) => field.name === name)
  }
}
