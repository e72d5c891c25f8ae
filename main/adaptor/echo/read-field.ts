import { refuse } from './echo-endpoint.ts'
import type { Json } from './json-access.ts'

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Is it a text in tokens? */
export const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every(Number.isInteger)

/** A text that has to be there. */
export function readText(body: Json, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value.trim() === '') {
    refuse(field, 'must be a string that is not empty')
  }
  return value
}

/** A number within bounds; in a form it comes as text. Null where it is not sent. */
export function readNumber(
  body: Json,
  field: string,
  [least, most]: readonly [number, number],
): number | null {
  const value = body[field]
  if (isAbsent(value)) return null
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= least && number <= most)) {
    refuse(field, `must be a number from ${least} to ${most}`)
  }
  return number
}

/** As `readNumber`, for whole numbers. */
export function readCount(
  body: Json,
  field: string,
  bounds: readonly [number, number],
): number | null {
  const number = readNumber(body, field, bounds)
  if (number !== null && !Number.isInteger(number)) refuse(field, 'must be a whole number')
  return number
}

/** One of the words that Echo knows for a field; the first where nothing is sent. */
export function readWord<Word extends string>(
  body: Json,
  field: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = body[field]
  if (isAbsent(value)) return words[0]
  const word = words.find((known) => known === value)
  if (word === undefined) refuse(field, `Echo can only serve ${words.join(', ')}`)
  return word
}

/** A form's list, whose name may end in `[]`; what is sent once counts as a list of one. */
export function readList(body: Json, field: string): readonly unknown[] {
  const value = body[`${field}[]`] ?? body[field]
  if (isAbsent(value)) return []
  return Array.isArray(value) ? value : [value]
}
