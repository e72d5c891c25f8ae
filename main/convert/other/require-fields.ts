import type { BodyRule } from '../../base/sentences/body-rules.ts'
import { refuse } from '../check/check-request.ts'
import type { JsonFields } from '../json/json-fields.ts'

/** Is the field not sent, or null, which SDKs write for it? */
export const isAbsent = (body: JsonFields, field: string) =>
  body.kind(field) === undefined || body.kind(field) === 'null'

/** Requires a list with something in it. `absent` is the rule that a body without the list breaks. */
export function requireList(
  body: JsonFields,
  field: string,
  absent: BodyRule,
  wrong: BodyRule,
): void {
  const kind = body.kind(field)
  if (isAbsent(body, field)) refuse(field, absent)
  if (kind !== 'array') refuse(field, wrong)
  if (body.kindOfFirst(field) === undefined) refuse(field, 'must_not_be_empty')
}

/** Requires a count, where it is sent, to be a whole number of at least 1. */
export function requirePositive(body: JsonFields, field: string): void {
  if (isAbsent(body, field)) return
  const count = body.kind(field) === 'number' ? (body.get(field) as number) : 0
  if (!Number.isInteger(count) || count < 1) refuse(field, 'must_be_positive_integer')
}
