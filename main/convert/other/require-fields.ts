import { refuse } from '../check/check-request.ts'
import type { JsonFields } from '../json/json-fields.ts'

/** Is the field not sent, or null, which SDKs write for it? */
export const isAbsent = (body: JsonFields, field: string) =>
  body.kind(field) === undefined || body.kind(field) === 'null'

/** Requires a list with something in it. */
export function requireList(body: JsonFields, field: string, of: string): void {
  const kind = body.kind(field)
  if (isAbsent(body, field)) refuse(field, `is required: a list of ${of}`)
  if (kind !== 'array') refuse(field, `must be a list of ${of}`)
  if (body.kindOfFirst(field) === undefined) refuse(field, 'must not be empty')
}

/** Requires a count, where it is sent, to be a whole number of at least 1. */
export function requirePositive(body: JsonFields, field: string): void {
  if (isAbsent(body, field)) return
  const count = body.kind(field) === 'number' ? (body.get(field) as number) : 0
  if (!Number.isInteger(count) || count < 1) refuse(field, 'must be a positive integer')
}
