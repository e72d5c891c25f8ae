import { GatewayError } from '../../../base/errors.ts'
import { refuse, requireSwitch, requireTurns } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'

/**
 * The oldest one that all clients and compatible hosts know:
 * https://docs.anthropic.com/en/api/versioning
 */
export const ANTHROPIC_VERSION = '2023-06-01'

function requireVersion(headers: Readonly<Record<string, unknown>>): void {
  if (!headers['anthropic-version']) {
    throw new GatewayError('invalid_request', {
      message: `anthropic-version: header is required, e.g. "anthropic-version: ${ANTHROPIC_VERSION}".`,
      field: 'anthropic-version',
    })
  }
}

/** Token counting takes the same body without `max_tokens`. */
export function checkMessagesCount(
  body: JsonFields,
  headers: Readonly<Record<string, unknown>>,
): void {
  requireVersion(headers)
  requireTurns(body, 'messages')
}

/** The service's own limits (design §1.10): they hold whatever a vendor allows. */
export function checkMessagesRequest(
  body: JsonFields,
  headers: Readonly<Record<string, unknown>>,
): void {
  checkMessagesCount(body, headers)
  const limit = body.get('max_tokens')
  if (limit === undefined) refuse('max_tokens', 'is required: an integer of at least 1')
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    refuse('max_tokens', 'must be an integer of at least 1')
  }
  const temperature = body.get('temperature')
  if (temperature !== undefined && temperature !== null) {
    if (typeof temperature !== 'number' || temperature < 0 || temperature > 1) {
      refuse('temperature', 'must be a number from 0 to 1')
    }
  }
  requireSwitch(body, 'stream')
}
