/** Where a JSON text is wrong; `offset` is an index of the text. */
export interface JsonFault {
  offset: number
  kind: 'end' | 'unexpected' | 'not-object'
  /** The character that nobody expected; empty at the end. */
  found: string
}

const LITERAL = /true|false|null/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const BLANK = /[ \t\n\r]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

class Fault extends Error {
  readonly offset: number

  constructor(offset: number) {
    super('no JSON')
    this.offset = offset
  }
}

/** Reads a text to its end or its first fault, and notes where each value with this path begins. */
class JsonReader {
  readonly #text: string
  readonly #wanted: readonly string[]
  #at = 0
  /** Index of the value that matches most of the wanted path, and how much it matches. */
  found = { offset: 0, depth: 0 }

  constructor(text: string, wanted: readonly string[]) {
    this.#text = text
    this.#wanted = wanted
  }

  read(): void {
    this.#blank()
    this.#value(0)
    this.#blank()
    if (this.#at < this.#text.length) throw new Fault(this.#at)
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const [match] = pattern.exec(this.#text) ?? []
    if (match === undefined) return null
    this.#at += match.length
    return match
  }

  #blank(): void {
    this.#match(BLANK)
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw new Fault(this.#at)
    this.#at++
  }

  /** `depth`: items of the wanted path that lead here; -1 where it leads elsewhere. */
  #value(depth: number): void {
    const first = this.#text[this.#at]
    if (first === '{') this.#members('}', depth)
    else if (first === '[') this.#members(']', depth)
    else if (first === '"') this.#string()
    else if (!(this.#match(NUMBER) || this.#match(LITERAL))) throw new Fault(this.#at)
  }

  #members(close: '}' | ']', depth: number): void {
    this.#at++
    this.#blank()
    if (this.#text[this.#at] === close) {
      this.#at++
      return
    }
    for (let index = 0; ; index++) {
      this.#blank()
      const start = this.#at
      const name = close === '}' ? this.#string() : String(index)
      if (close === '}') {
        this.#blank()
        this.#expect(':')
        this.#blank()
      }
      const isOnPath = depth >= 0 && this.#wanted[depth] === name
      if (isOnPath) this.found = { offset: start, depth: depth + 1 }
      this.#value(isOnPath ? depth + 1 : -1)
      this.#blank()
      if (this.#text[this.#at] === close) {
        this.#at++
        return
      }
      this.#expect(',')
    }
  }

  /** The text between the quotes, as it is written. */
  #string(): string {
    this.#expect('"')
    const start = this.#at
    for (;;) {
      const character = this.#text[this.#at]
      if (character === '"') return this.#text.slice(start, this.#at++)
      if (character === undefined || character < ' ') throw new Fault(this.#at)
      if (character !== '\\') this.#at++
      else if (this.#match(ESCAPE) === null) throw new Fault(this.#at)
    }
  }
}

/** Why the text is no JSON object, and where; null for one that is. */
export function jsonFault(text: string): JsonFault | null {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? null : { offset: 0, kind: 'not-object', found: '' }
  } catch {
    const offset = firstFault(text)
    const found = text[offset] ?? ''
    return { offset, kind: found === '' ? 'end' : 'unexpected', found }
  }
}

function firstFault(text: string): number {
  try {
    new JsonReader(text, []).read()
  } catch (error) {
    if (error instanceof Fault) return error.offset
  }
  // Nested deeper than can be followed.
  return 0
}

/** Where the value at a path such as `messages[0].content` begins, or the nearest one around it; null for none. */
export function placeOfPath(text: string, path: string): number | null {
  const reader = new JsonReader(text, path.split(/[.[\]]+/).filter(Boolean))
  try {
    reader.read()
  } catch {
    return null
  }
  return reader.found.depth > 0 ? reader.found.offset : null
}

/** Line and column of an index, both from 1. */
export function lineOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
