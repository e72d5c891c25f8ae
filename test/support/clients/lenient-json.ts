/** Input that a lenient parser takes, and another one refuses or reads otherwise. */
export interface Leniency {
  /** Which of two equal keys counts. */
  repeated: 'first' | 'last'
  /** Keys are compared as Go's encoding/json does: by Unicode's simple folding, `ſ` for s and the Kelvin sign for k too. */
  ignoresCase: boolean
  /** Comments, and a comma too many, are passed over. */
  takesComments: boolean
}

type Entries = [key: string, value: unknown][]

/** The fields of a JSON object as a vendor's lenient parser reads them; throws SyntaxError. */
export class LenientJson {
  readonly #leniency: Leniency
  #text = ''
  #at = 0

  constructor(leniency: Leniency) {
    this.#leniency = leniency
  }

  parse(text: string): LenientObject {
    this.#text = text
    this.#at = 0
    const value = this.#value()
    this.#space()
    if (!(value instanceof LenientObject) || this.#at < text.length)
      throw new SyntaxError('no object')
    return value
  }

  #space(): void {
    const blank = this.#leniency.takesComments
      ? /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
      : /[ \t\r\n]*/y
    blank.lastIndex = this.#at
    this.#at += blank.exec(this.#text)?.[0].length ?? 0
  }

  /** Is this sign next? Then it is passed. */
  #takes(sign: string): boolean {
    this.#space()
    if (this.#text[this.#at] !== sign) return false
    this.#at++
    return true
  }

  #value(): unknown {
    if (this.#takes('{')) return this.#object()
    if (this.#takes('[')) return this.#list()
    const literal = /"(?:[^"\\]|\\[\s\S])*"|[-+.\w]+/y
    literal.lastIndex = this.#at
    const found = literal.exec(this.#text)?.[0]
    if (found === undefined) throw new SyntaxError(`no value at ${this.#at}`)
    this.#at += found.length
    return JSON.parse(found)
  }

  #list(): unknown[] {
    const items: unknown[] = []
    while (!this.#takes(']')) {
      items.push(this.#value())
      if (!this.#takes(',') && !this.#takes(']')) throw new SyntaxError(`at ${this.#at}`)
      else if (this.#text[this.#at - 1] === ']') break
    }
    return items
  }

  #object(): LenientObject {
    const entries: Entries = []
    while (!this.#takes('}')) {
      const key = this.#value()
      if (typeof key !== 'string' || !this.#takes(':')) throw new SyntaxError(`at ${this.#at}`)
      entries.push([key, this.#value()])
      if (!this.#takes(',') && !this.#takes('}')) throw new SyntaxError(`at ${this.#at}`)
      else if (this.#text[this.#at - 1] === '}') break
    }
    return new LenientObject(entries, this.#leniency)
  }
}

const folded = (key: string): string =>
  key.replaceAll('ſ', 's').replaceAll('\u212a', 'k').toLowerCase()

/** An object of which a key is read by its parser's rules. */
export class LenientObject {
  readonly #entries: Entries
  readonly #leniency: Leniency

  constructor(entries: Entries, leniency: Leniency) {
    this.#entries = entries
    this.#leniency = leniency
  }

  get(key: string): unknown {
    const { repeated, ignoresCase } = this.#leniency
    const fits = ([one]: [string, unknown]) =>
      ignoresCase ? folded(one) === folded(key) : one === key
    return (repeated === 'first' ? this.#entries.find(fits) : this.#entries.findLast(fits))?.[1]
  }
}
