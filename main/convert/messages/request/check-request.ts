import { refuse, requireSwitch, requireTurns } from '../../check/check-request.ts'
import type { JsonFields } from '../../json/json-fields.ts'

/**
 * The oldest one that all clients and compatible hosts know:
 * https://docs.anthropic.com/en/api/versioning
 */
export const ANTHROPIC_VERSION = '2023-06-01'

function requireVersion(headers: Readonly<Record<string, unknown>>): void {
  if (!headers['anthropic-version']) {
    const example = `anthropic-version: ${ANTHROPIC_VERSION}`
    refuse('anthropic-version', { code: 'header_required', example })
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
  if (limit === undefined) refuse('max_tokens', { code: 'max_tokens_required', least: 1 })
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    refuse('max_tokens', { code: 'must_be_integer_of_at_least', least: 1 })
  }
  const temperature = body.get('temperature')
  if (temperature !== undefined && temperature !== null) {
    if (typeof temperature !== 'number' || temperature < 0 || temperature > 1) {
      refuse('temperature', { code: 'must_be_number_from', least: 0, most: 1 })
    }
  }
  requireSwitch(body, 'stream')
}
