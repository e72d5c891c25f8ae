import { fieldRefusal } from '../../base/field-refusal.ts'
import type { BodyRule } from '../../base/sentences/body-rules.ts'
import type { JsonFields } from '../json/json-fields.ts'

/** A body field at fault. `field` is its path, `rule` what it has to be. */
export function refuse(field: string, rule: BodyRule): never {
  throw fieldRefusal(field, rule)
}

/** Requires the list of turns: an array with at least one entry. */
export function requireTurns(body: JsonFields, field: string): void {
  const kind = body.kind(field)
  if (kind === undefined) refuse(field, 'turns_required')
  if (kind !== 'array') refuse(field, 'must_be_array')
  const first = body.kindOfFirst(field)
  if (first === undefined) refuse(field, 'must_hold_turn')
  // Later turns are the vendor's to judge: looking at all of them would mean parsing them.
  if (first !== 'object') refuse(`${field}[0]`, 'must_be_object')
}

/** A whole number, also one in quotes, which many vendors take for it; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

/** A limit in a request; 0 where none is set. */
export const asLimit = (value: unknown): number => Math.max(0, wholeNumber(value) ?? 0)

/** Requires a number, where it is sent, to be a whole one of at least `least`: 1e400 is none to some parsers. */
export function requireCount(body: JsonFields, field: string, least = 1): void {
  const value = body.get(field)
  if (value === undefined || value === null) return
  if ((wholeNumber(value) ?? -1) < least) {
    refuse(field, { code: 'must_be_whole_of_at_least', least })
  }
}

/** Requires a switch, where it is sent, to be true, false or null. */
export function requireSwitch(body: JsonFields, field: string): void {
  const kind = body.kind(field)
  if (kind !== undefined && kind !== 'null' && kind !== 'boolean') {
    refuse(field, 'must_be_boolean')
  }
}
