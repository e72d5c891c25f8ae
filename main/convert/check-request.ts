import { GatewayError } from '../base/errors.ts'
import type { JsonFields } from './json-fields.ts'

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

/** Requires a switch, where it is sent, to be true, false or null. */
export function requireSwitch(body: JsonFields, field: string): void {
  const kind = body.kind(field)
  if (kind !== undefined && kind !== 'null' && kind !== 'boolean') {
    refuse(field, 'must be true or false')
  }
}
