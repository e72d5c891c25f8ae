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
function scan(text: string, fields: Field[]): number {
  let index = skipSpace(text, text.startsWith('\u00ef\u00bb\u00bf') ? 3 : 0)
  if (text.charCodeAt(index) !== OPEN_OBJECT) return fail(index, text)
  index = skipSpace(text, index + 1)
  if (text.charCodeAt(index) === CLOSE_OBJECT) return index
  for (;;) {
    if (text.charCodeAt(index) !== QUOTE) return fail(index, text)
    const nameEnd = skipString(text, index)
    const raw = text.slice(index + 1, nameEnd - 1)
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

/**
 * The top-level fields of a JSON object, found in its bytes without parsing what is inside them. A body
 * that is relayed between two speakers of one wire format must reach the other side as it was written,
 * number formatting, key order and unknown fields included; so nothing is parsed and rebuilt, and a
 * conversation of megabytes costs no more than a look at it.
 */
export class JsonFields {
  readonly bytes: Buffer
  readonly #fields: Field[] = []
  /** Of the closing brace. */
  readonly #end: number

  /**
   * Throws SyntaxError, saying where, for what is no JSON object. Beyond 8 KiB only the structure is
   * checked: whoever the bytes are for parses them anyway.
   */
  constructor(bytes: Buffer) {
    this.bytes = bytes
    // Latin-1 makes every byte one character, so that positions in the text are positions in the bytes.
    const text = bytes.toString('latin1')
    this.#end = scan(text, this.#fields)
    const rest = skipSpace(text, this.#end + 1)
    if (rest < text.length) fail(rest, text)
    if (bytes.length <= PARSED_WHOLE) this.parse()
  }

  /** The whole object, parsed. */
  parse(): Record<string, unknown> {
    return JSON.parse(this.bytes.toString('utf8', this.bytes.indexOf(OPEN_OBJECT))) as Record<
      string,
      unknown
    >
  }

  /** A field's value, parsed; undefined where there is none. Of one written twice, the last. */
  get(name: string): unknown {
    const field = this.#find(name)
    return field ? JSON.parse(this.bytes.toString('utf8', field.start, field.end)) : undefined
  }

  /** What kind of value a field has, without parsing it. */
  kind(name: string): JsonKind | undefined {
    return this.#find(name)?.kind
  }

  /** What kind of value the first item of an array has; undefined for an empty one. */
  kindOfFirst(name: string): JsonKind | undefined {
    return this.#find(name)?.first
  }

  /**
   * The bytes with some fields set, every other byte as it was. A field that is there twice is set twice
   * (parsers disagree on which one counts); one that is missing is added last.
   */
  set(values: Readonly<Record<string, unknown>>): Buffer {
    const missing = new Set(Object.keys(values))
    const parts: Buffer[] = []
    let copied = 0
    for (const { name, start, end } of this.#fields) {
      if (!Object.hasOwn(values, name)) continue
      parts.push(this.bytes.subarray(copied, start), Buffer.from(JSON.stringify(values[name])))
      copied = end
      missing.delete(name)
    }
    if (missing.size > 0) {
      const added = [...missing].map(
        (name) => `${JSON.stringify(name)}:${JSON.stringify(values[name])}`,
      )
      const separator = this.#fields.length > 0 ? ',' : ''
      parts.push(this.bytes.subarray(copied, this.#end), Buffer.from(separator + added.join(',')))
      copied = this.#end
    }
    parts.push(this.bytes.subarray(copied))
    return Buffer.concat(parts)
  }

  #find(name: string): Field | undefined {
    for (let index = this.#fields.length - 1; index >= 0; index--) {
      if (this.#fields[index]?.name === name) return this.#fields[index]
    }
    return undefined
  }
}
