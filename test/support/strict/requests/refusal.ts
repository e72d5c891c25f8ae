export type Json = Record<string, unknown>

/** A strict upstream's objection to a request. */
export class Refusal extends Error {
  readonly path: string
  readonly status: number
  readonly code: string | null

  constructor(path: string, sentence: string, status = 400, code: string | null = null) {
    super(sentence)
    this.path = path
    this.status = status
    this.code = code
  }
}

export function refuse(path: string, sentence: string, status?: number, code?: string): never {
  throw new Refusal(path, sentence, status, code)
}

/** Refuses with this sentence unless `holds`. */
export function demand(holds: unknown, path: string, sentence: string): asserts holds {
  if (!holds) refuse(path, sentence)
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function objectAt(value: unknown, path: string): Json {
  if (!isObject(value)) refuse(path, 'Input should be an object')
  return value
}

export function objectsAt(value: unknown, path: string): Json[] {
  if (!Array.isArray(value)) refuse(path, 'Input should be an array')
  return value.map((item, index) => objectAt(item, `${path}[${index}]`))
}

export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') refuse(path, 'Input should be a string')
  return value
}

/** Only these fields, named with blanks between; none of them null or of a wrong spelling. */
export function onlyFields(value: Json, path: string, allowed: string): void {
  const known = allowed.split(' ')
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      refuse(path === '' ? name : `${path}.${name}`, `Unknown field “${name}”`)
    }
  }
}

export function oneOf(value: unknown, path: string, words: string): string {
  if (typeof value !== 'string' || !words.split(' ').includes(value)) {
    refuse(path, `${JSON.stringify(value)} is not one of: ${words}`)
  }
  return value
}

export function numberWithin(value: unknown, path: string, least: number, most: number): number {
  if (typeof value !== 'number' || Number.isNaN(value) || value < least || value > most) {
    refuse(path, `Input should be a number from ${least} to ${most}`)
  }
  return value
}

export function countFrom(value: unknown, path: string, least: number): number {
  if (!Number.isInteger(value) || (value as number) < least) {
    refuse(path, `Input should be a whole number of at least ${least}`)
  }
  return value as number
}

/** Refuses the second of two equal values. */
export function noneTwice(values: readonly unknown[], path: string, what: string): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index)
  if (twice !== undefined) refuse(path, `${what} must be unique: “${twice}” is there twice`)
}
