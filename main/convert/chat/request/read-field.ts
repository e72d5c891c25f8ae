import { refuse } from '../../check/check-request.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'

const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null

/** A number, also one that a sloppy client sent as text. Throws `invalid_request` for anything else. */
export function readNumber(body: JsonObject, field: string): number | undefined {
  const value = body[field]
  if (isAbsent(value)) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) refuse(field, 'must_be_number')
  return number
}

/** A number within bounds, both included. */
export function readNumberWithin(
  body: JsonObject,
  field: string,
  least: number,
  most: number,
): number | undefined {
  const number = readNumber(body, field)
  if (number !== undefined && (number < least || number > most)) {
    refuse(field, { code: 'must_be_number_from', least, most })
  }
  return number
}

/** A whole number of at least `least`. */
export function readCount(body: JsonObject, field: string, least: number): number | undefined {
  const number = readNumber(body, field)
  if (number === undefined) return undefined
  if (number < least) refuse(field, { code: 'must_be_at_least', least })
  if (!Number.isInteger(number)) refuse(field, 'must_be_whole_number')
  return number
}

export function readText(body: JsonObject, field: string): string | undefined {
  const value = body[field]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string') refuse(field, 'must_be_string')
  return value
}

export function readSwitch(body: JsonObject, field: string): boolean | undefined {
  const value = body[field]
  if (isAbsent(value)) return undefined
  if (typeof value !== 'boolean') refuse(field, 'must_be_boolean')
  return value
}

export function readObject(body: JsonObject, field: string): JsonObject | undefined {
  const value = body[field]
  if (isAbsent(value)) return undefined
  const object = asObject(value)
  if (!object) refuse(field, 'must_be_object')
  return object
}

export function readArray(body: JsonObject, field: string): readonly unknown[] | undefined {
  const value = body[field]
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) refuse(field, 'must_be_array')
  return value
}
