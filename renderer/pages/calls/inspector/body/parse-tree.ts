/** A value of a JSON text. Numbers stay as they are written: 64-bit ids would lose digits as JavaScript's numbers. */
export interface JsonNode {
  kind: 'object' | 'array' | 'string' | 'number' | 'literal'
  /** A string's value, or the source of a number or literal; empty for objects and arrays. */
  text: string
  /** Name of a member; null for items and the whole. */
  name: string | null
  /** `messages[0].content`; empty for the whole. */
  path: string
  children: JsonNode[]
  /** Values in it, itself counted. */
  weight: number
}

export interface JsonTree {
  root: JsonNode
  /** The text ended before its value did. */
  isCut: boolean
}

/** Thrown where the text ends early. */
class EndOfText extends Error {}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const REST_OF_NUMBER = /[-+.eE\d]*/y
const LITERAL = /true|false|null/y
const BLANK = /[ \t\r\n]*/y
const PLAIN_STRING = /[^"\\]*/y
/** A name that stands behind a dot as it is. */
const PLAIN_NAME = /^[^.[\]"]+$/

const memberPath = (path: string, name: string): string => {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

class Parser {
  readonly #text: string
  #at = 0
  isCut = false

  constructor(text: string) {
    this.#text = text
  }

  /** The whole text; null where it is no JSON. */
  read(): JsonNode | null {
    const root = this.#value('', null)
    this.#skip(BLANK)
    return this.isCut || this.#at === this.#text.length ? root : null
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #peek(): string {
    this.#skip(BLANK)
    const next = this.#text[this.#at]
    if (next === undefined) throw new EndOfText()
    return next
  }

  #expect(sign: string): void {
    if (this.#peek() !== sign) throw new SyntaxError(`${sign} expected`)
    this.#at++
  }

  #value(path: string, name: string | null): JsonNode {
    const next = this.#peek()
    const node: JsonNode = { kind: 'literal', text: '', name, path, children: [], weight: 1 }
    if (next === '{' || next === '[') {
      node.kind = next === '{' ? 'object' : 'array'
      this.#fill(node, next === '{' ? '}' : ']')
    } else if (next === '"') {
      node.kind = 'string'
      node.text = this.#string()
    } else if (next === '-' || (next >= '0' && next <= '9')) {
      node.kind = 'number'
      node.text = this.#skip(NUMBER)
      // `1.` or `5e-`: it ended within a number.
      if (this.#skip(REST_OF_NUMBER) && this.#at === this.#text.length) throw new EndOfText()
    } else node.text = this.#skip(LITERAL)
    if (node.kind !== 'string' && node.children.length === 0 && node.text === '') {
      if (node.kind === 'literal' || node.kind === 'number') this.#refuse()
    }
    return node
  }

  /** Neither a number nor a literal: the text may end in the middle of one. */
  #refuse(): never {
    const rest = this.#text.slice(this.#at)
    if (['true', 'false', 'null', '-'].some((word) => word.startsWith(rest))) throw new EndOfText()
    throw new SyntaxError('a value expected')
  }

  #fill(node: JsonNode, end: string): void {
    this.#at++
    try {
      if (this.#peek() === end) {
        this.#at++
        return
      }
      for (;;) {
        const child = this.#child(node)
        node.children.push(child)
        node.weight += child.weight
        if (this.isCut) return
        const next = this.#peek()
        this.#at++
        if (next === end) return
        if (next !== ',') throw new SyntaxError(', expected')
      }
    } catch (error) {
      if (!(error instanceof EndOfText)) throw error
      this.isCut = true
    }
  }

  #child({ kind, path, children }: JsonNode): JsonNode {
    if (kind === 'array') return this.#value(`${path}[${children.length}]`, null)
    if (this.#peek() !== '"') throw new SyntaxError('a name expected')
    const name = this.#string()
    if (this.isCut) throw new EndOfText()
    this.#expect(':')
    return this.#value(memberPath(path, name), name)
  }

  #string(): string {
    const start = this.#at++
    for (;;) {
      this.#skip(PLAIN_STRING)
      const sign = this.#text[this.#at]
      if (sign === '"') break
      if (sign === undefined) {
        this.isCut = true
        return this.#partOfString(start)
      }
      this.#at += 2
    }
    this.#at++
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  /** A string whose end is missing, without the escape in which it may have been cut. */
  #partOfString(start: number): string {
    const part = this.#text.slice(start).replace(/\\(?:u[\da-fA-F]{0,3})?$/, '')
    try {
      return JSON.parse(`${part}"`) as string
    } catch {
      return part.slice(1)
    }
  }
}

/** Reads a JSON text, also one that was cut; null where it is no JSON or is nested deeper than the stack. */
export function parseTree(text: string): JsonTree | null {
  const parser = new Parser(text)
  try {
    const root = parser.read()
    return root && { root, isCut: parser.isCut }
  } catch {
    return null
  }
}
