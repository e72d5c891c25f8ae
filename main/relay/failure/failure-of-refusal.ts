import { parseJson } from '../../base/text/parse-json.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { Failure, FailureSigns, Refusal } from './failure.ts'
import { refusesKey } from './refuses-key.ts'
import { hintOf } from './retry-hint.ts'
import { readTable } from './retry-rule.ts'

/** Bytes of a body that is no vendor's error in which rules look for words. */
const LONGEST_TEXT = 1000

/**
 * Code, type and status words, where vendors write them: in `error`, beside the message (Novita's is a `reason`), in
 * Google's `ErrorInfo` (`reason`) and Anthropic's `details` (`error_code`).
 */
function wordsOf(json: unknown): string[] {
  const root = asObject(Array.isArray(json) ? json[0] : json)
  const error = asObject(root?.error)
  const reasons = asArray(error?.details).map((detail) => asObject(detail)?.reason)
  return [
    error?.code,
    error?.type,
    error?.status,
    root?.code,
    root?.type,
    root?.reason,
    asObject(error?.details)?.error_code,
    ...reasons,
  ]
    .map(asString)
    .filter((word) => word !== undefined)
}

/** Claude's fast mode has limits of its own, told by these: https://platform.claude.com/docs/en/build-with-claude/fast-mode */
const FAST_LIMIT = 'anthropic-fast-'

/** The failure of an attempt that the vendor refused by its status. */
export function failureOfRefusal(refusal: Refusal): Failure {
  const { status, headers, body } = refusal
  const json = parseJson(body)
  const vendor = readVendorError(json)
  const signs: FailureSigns = {
    // Only an upgrade to a WebSocket is refused with a success.
    kind: status < 300 ? 'invalid' : 'refusal',
    status,
    words: wordsOf(json),
    vendorMessage: vendor?.message ?? body.toString('utf8', 0, LONGEST_TEXT),
    isOfTier: Object.keys(headers).some((name) => name.startsWith(FAST_LIMIT)),
  }
  return {
    ...signs,
    ...readTable(signs),
    vendor,
    message: signs.vendorMessage.trim() || `The upstream answered with status ${status}.`,
    code: signs.words[0] ?? String(status),
    retryAfter: hintOf(refusal, json, vendor?.message ?? ''),
    refusesKey: refusesKey(refusal, signs.words, signs.vendorMessage),
    refusal,
    form: Array.isArray(json) ? 'list' : asObject(json) ? 'object' : 'text',
    error: null,
  }
}
