import { ownValue } from '../../../base/own-value.ts'
import { readVendorError } from '../../errors/vendor-error.ts'
import type { VendorError } from '../../events/stream-scanner.ts'
import { asObject, asString } from '../../json/json-value.ts'

/** Statuses that codes of the vendor's stand for: an event has no status of its own. */
const codeStatus: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  usage_not_included: 429,
  credit_balance_exhausted: 429,
  flex_unavailable: 429,
  server_error: 500,
  server_is_overloaded: 503,
  slow_down: 503,
  context_length_exceeded: 400,
  invalid_prompt: 400,
  invalid_request_error: 400,
  invalid_api_key: 401,
  model_not_found: 404,
  cyber_policy: 400,
  bio_policy: 400,
  misalignment_policy_violation: 403,
  // About a picture or its address in the request.
  invalid_image: 400,
  invalid_image_format: 400,
  invalid_base64_image: 400,
  invalid_image_url: 400,
  invalid_image_mode: 400,
  image_too_large: 400,
  image_too_small: 400,
  image_parse_error: 400,
  image_content_policy_violation: 400,
  image_file_too_large: 400,
  image_file_not_found: 400,
  empty_image_file: 400,
  unsupported_image_media_type: 400,
  failed_to_download_image: 400,
}

/**
 * The error of an `error` event, flat as documented or nested as sent, of `response.failed`, or of a
 * whole failed answer. Null where none of these tells.
 */
export function readResponsesError(event: unknown): VendorError | null {
  const body = asObject(event)
  const failed = asObject(body?.response) ?? (body?.object === 'response' ? body : undefined)
  if (failed) {
    const error = asObject(failed.error)
    if (!error) {
      const message = `The vendor gave the answer up: ${asString(failed.status) ?? 'failed'}.`
      return failed.status === 'failed' || failed.status === 'cancelled'
        ? { message, status: null, code: null }
        : null
    }
    return withStatus(asString(error.message), asString(error.code), null, asString(error.param))
  }
  const error = readVendorError(body?.code === null ? { ...body, code: undefined } : body)
  return error && withStatus(error.message, error.code ?? undefined, error.status, error.param)
}

function withStatus(
  message: string | undefined,
  code: string | undefined,
  status: number | null,
  param: string | undefined,
): VendorError {
  return {
    message: message ?? code ?? 'The vendor reported an error without a message.',
    status: status ?? ownValue(codeStatus, code ?? '') ?? null,
    code: code ?? null,
    ...(param ? { param } : {}),
  }
}
