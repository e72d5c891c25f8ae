import { GatewayError } from '../base/errors.ts'

/** A body field at fault. `field` is its path, `rule` what it has to be. */
export function refuse(field: string, rule: string): never {
  throw new GatewayError('invalid_request', { message: `${field}: ${rule}.`, field })
}

/** Requires the list of turns: an array with at least one entry. */
export function requireTurns(body: Readonly<Record<string, unknown>>, field: string): void {
  const turns = body[field]
  if (turns === undefined) refuse(field, 'is required: an array of turns')
  if (!Array.isArray(turns)) refuse(field, 'must be an array')
  if (turns.length === 0) refuse(field, 'must hold at least one turn')
  turns.forEach((turn: unknown, index) => {
    if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) {
      refuse(`${field}[${index}]`, 'must be an object')
    }
  })
}

/** Requires a switch, where it is sent, to be true, false or null. */
export function requireSwitch(body: Readonly<Record<string, unknown>>, field: string): void {
  const value = body[field]
  if (value !== undefined && value !== null && typeof value !== 'boolean') {
    refuse(field, 'must be true or false')
  }
}
