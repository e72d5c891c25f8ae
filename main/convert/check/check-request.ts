import { GatewayError } from '../../base/errors.ts'
import type { JsonFields } from '../json/json-fields.ts'

/** A body field at fault. `field` is its path, `rule` what it has to be. */
export function refuse(field: string, rule: string): never {
  throw new GatewayError('invalid_request', { message: `${field}: ${rule}.`, field })
}

/** Requires the list of turns: an array with at least one entry. */
export function requireTurns(body: JsonFields, field: string): void {
  const kind = body.kind(field)
  if (kind === undefined) refuse(field, 'is required: an array of turns')
  if (kind !== 'array') refuse(field, 'must be an array')
  const first = body.kindOfFirst(field)
  if (first === undefined) refuse(field, 'must hold at least one turn')
  // Later turns are the vendor's to judge: looking at all of them would mean parsing them.
  if (first !== 'object') refuse(`${field}[0]`, 'must be an object')
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
    refuse(field, `must be a whole number of at least ${least}`)
  }
}

/** Requires a switch, where it is sent, to be true, false or null. */
export function requireSwitch(body: JsonFields, field: string): void {
  const kind = body.kind(field)
  if (kind !== undefined && kind !== 'null' && kind !== 'boolean') {
    refuse(field, 'must be true or false')
  }
}
