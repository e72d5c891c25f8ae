import { wrongText } from './wrong-text.ts'

const LONGEST_TEXT = 20_000
const LONGEST_LIST = 20_000

const KINDS = {
  object: 'an object',
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
} as const

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'true or false' : 'a number'
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A value of a foreign file and the path to it. Absent and null are alike. Each reader refuses another
 * type with `invalid_params`, whose message names the path.
 */
export class Field {
  readonly value: unknown
  /** `model_list[3].litellm_params.model`; empty for the whole file. */
  readonly path: string

  constructor(value: unknown, path = '') {
    this.value = value ?? null
    this.path = path
  }

  get isThere(): boolean {
    return this.value !== null
  }

  at(name: string): Field {
    const path = this.path === '' ? name : `${this.path}.${name}`
    if (!this.isThere) return new Field(null, path)
    if (!isObject(this.value)) throw this.wrong('object')
    return new Field(Object.hasOwn(this.value, name) ? this.value[name] : null, path)
  }

  /** The first of several spellings that is there. */
  atOneOf(...names: readonly string[]): Field {
    const fields = names.map((name) => this.at(name))
    return fields.find((field) => field.isThere) ?? (fields[0] as Field)
  }

  /** Trimmed; '' when absent. */
  text(): string {
    if (!this.isThere) return ''
    if (typeof this.value !== 'string') throw this.wrong('text')
    if (this.value.length > LONGEST_TEXT) {
      throw wrongText(`${this.#name} is longer than ${LONGEST_TEXT} characters.`, {
        code: 'part_long',
        part: this.#place,
        most: LONGEST_TEXT,
      })
    }
    if (this.value.includes('\0'))
      throw wrongText(`${this.#name} holds a null character.`, {
        code: 'part_null_character',
        part: this.#place,
      })
    return this.value.trim()
  }

  /** The same place with another text, where the one in the file stands for it. */
  withText(text: string): Field {
    return new Field(text, this.path)
  }

  /** As `text`, for a field that must not be empty. */
  name(): string {
    const text = this.text()
    if (text === '')
      throw wrongText(`${this.#name} is missing.`, { code: 'part_missing', part: this.#place })
    return text
  }

  /** Also a number in quotes; null when absent or empty. */
  number(least: number, most: number): number | null {
    const { value } = this
    if (value === null || value === '') return null
    const number = typeof value === 'string' && value.length < 40 ? Number(value) : value
    if (typeof number !== 'number' || Number.isNaN(number)) throw this.wrong('number')
    if (number < least || number > most) {
      throw wrongText(`${this.#name} must be a number from ${least} to ${most}.`, {
        code: 'part_out_of_range',
        part: this.#place,
        least,
        most,
      })
    }
    return number
  }

  /** As `number`, rounded. */
  integer(least: number, most: number): number | null {
    const number = this.number(least, most)
    return number === null ? null : Math.round(number)
  }

  flag(otherwise: boolean): boolean {
    if (!this.isThere) return otherwise
    if (typeof this.value !== 'boolean') throw this.wrong('boolean')
    return this.value
  }

  items(): Field[] {
    if (!this.isThere) return []
    if (!Array.isArray(this.value)) throw this.wrong('list')
    this.#checkLength(this.value.length)
    return this.value.map((item, index) => new Field(item, `${this.path}[${index}]`))
  }

  entries(): [string, Field][] {
    if (!this.isThere) return []
    if (!isObject(this.value)) throw this.wrong('object')
    const entries = Object.entries(this.value)
    this.#checkLength(entries.length)
    return entries.map(([name]) => [name, this.at(name)])
  }

  /** The texts of a list; empty ones are left out. */
  texts(): string[] {
    return this.items()
      .map((item) => item.text())
      .filter((text) => text !== '')
  }

  get isText(): boolean {
    return typeof this.value === 'string'
  }

  get isList(): boolean {
    return Array.isArray(this.value)
  }

  get isObject(): boolean {
    return isObject(this.value)
  }

  /** The name for a sentence in another language. */
  get #place(): string {
    return `“${this.path.slice(0, 200)}”`
  }

  get #name(): string {
    return this.path === '' ? 'The file' : `“${this.path.slice(0, 200)}”`
  }

  #checkLength(length: number): void {
    if (length > LONGEST_LIST) {
      throw wrongText(`${this.#name} has ${length} entries; the most is ${LONGEST_LIST}.`, {
        code: 'part_many_entries',
        part: this.#place,
        count: length,
        most: LONGEST_LIST,
      })
    }
  }

  wrong(wanted: keyof typeof KINDS): Error {
    const found = this.isThere ? kindOf(this.value) : 'nothing'
    return wrongText(`${this.#name} must be ${KINDS[wanted]}; it is ${found}.`, {
      code: 'part_other_kind',
      part: this.#place,
      wanted: { code: `kind_${wanted}` },
    })
  }
}
