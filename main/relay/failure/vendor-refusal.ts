import { GatewayError } from '../../base/errors.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import { asObject } from '../../convert/json/json-value.ts'
import type { Channel } from '../../store/records/channels.ts'
import { isRedirect, redirectTarget } from '../../upstream/redirect-target.ts'
import { parseJson, type Refusal } from './refusal.ts'
import { hintOf, sentenceHint } from './retry-hint.ts'

/** The vendor's word on another try: seconds to wait, and whether it makes sense at all. */
function retryHints(refusal: Refusal): { retryAfter?: number; shouldRetry?: boolean } {
  const retryAfter = hintOf(refusal)
  const word = refusal.headers['x-should-retry']
  return {
    ...(retryAfter === null ? {} : { retryAfter }),
    ...(word === 'true' || word === 'false' ? { shouldRetry: word === 'true' } : {}),
  }
}

/** Google's 403 for a file or a cache that the call names and that is not the account's, or not there: no key is at fault. */
export const FILE_REFUSED = /\bpermission to access the file\b|\bcachedcontent not found\b/i

/** OpenRouter's 403 of a text that its moderation flagged, which has no code: https://openrouter.ai/docs/api/reference/errors-and-debugging */
export const TEXT_REFUSED = /\bmoderation\b|\bflagged\b/i

/** A 403 that speaks of what was sent, and not of who sent it. */
const isAboutContent = (said: string): boolean => FILE_REFUSED.test(said) || TEXT_REFUSED.test(said)

/** In a sentence, which may quote what the client has sent, the quotes would be escaped. */
const GOOGLE_BAD_KEY = /"reason"\s*:\s*"API_KEY_INVALID"/

/** Is it the channel's key that the vendor refuses? Google answers a bad key with 400. */
export function refusesKey({ status, body }: Refusal): boolean {
  if (status === 401) return true
  if (status === 403) return !isAboutContent(body.toString('utf8', 0, BEGINNING))
  return status === 400 && GOOGLE_BAD_KEY.test(body.toString('latin1', 0, BEGINNING))
}

const statusText = (status: number): string => `status ${status}`

/** Bytes of a refusal in which its reason stands; to look through more for markup takes too long. */
const BEGINNING = 16 * 1024

/** The first words of a page or text that is no JSON, without markup. */
const excerpt = (body: Buffer): string =>
  body
    .toString('utf8', 0, BEGINNING)
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200)

/**
 * The gateway's own words for a refusal that cannot go to the client as it came; null when it can: a
 * JSON error that is not about the channel's key. `url` is what was asked.
 */
export function explainRefusal(
  refusal: Refusal,
  channel: Channel,
  url: string,
): GatewayError | null {
  const { status, headers, body } = refusal
  // Before its body is looked at: a client that is given the status and `Location` sends the call there.
  if (isRedirect(status)) {
    return new GatewayError('upstream_error', {
      message: `The upstream of channel "${channel.name}" redirects (status ${status}) ${redirectTarget(headers, url)}. The gateway never follows a redirect, because the prompt and the key would go there. Check the channel's base URL.`,
    })
  }
  const json = parseJson(body)
  const vendor = readVendorError(json)
  const said = vendor?.message || excerpt(body) || 'no reason given'
  if (refusesKey(refusal)) {
    // A 401 would tell the client that its own token is bad.
    return new GatewayError('channel_key_refused', {
      message: `The vendor refused the key of channel "${channel.name}" (${statusText(status)}): ${said}`,
    })
  }
  if (asObject(json) || Array.isArray(json)) return null
  if (status >= 300 && status < 400) {
    return new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" redirects (${statusText(status)}). Check the channel's base URL.`,
    })
  }
  const isPage = /<html|<!doctype/i.test(body.toString('utf8', 0, 1000))
  return new GatewayError('upstream_error', {
    message: isPage
      ? `The upstream of channel "${channel.name}" answered with a web page (${statusText(status)}): ${said}. Check the channel's base URL.`
      : `The upstream of channel "${channel.name}" answered with ${statusText(status)}: ${said}`,
    status: status >= 400 ? status : 502,
    ...retryHints(refusal),
  })
}

/** 529 is Anthropic's own; where others are overloaded they say 503 (wire-formats §1.6). */
function statusFor(status: number, format: CallFormat): number {
  if (format === 'messages') return status === 503 ? 529 : status
  return status === 529 ? 503 : status
}

/** A vendor's refusal for a client of another wire format: in its shape, with the vendor's own words. */
export function foreignRefusal(
  refusal: Refusal,
  channel: Channel,
  format: CallFormat,
): GatewayError {
  const json = parseJson(refusal.body)
  const vendor = readVendorError(json)
  const mapped = mapStatus(refusal.status, channel.statusCodeMapping)
  return new GatewayError('upstream_error', {
    message: vendor?.message || excerpt(refusal.body) || statusText(refusal.status),
    status: statusFor(mapped, format),
    ...(vendor?.code ? { vendorCode: vendor.code } : {}),
    ...(vendor?.param ? { field: vendor.param } : {}),
    ...retryHints(refusal),
  })
}

/** The status that the channel's owner wants to be seen in an upstream status's place; never a redirect. */
export function mapStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const mapped = Number(mapping[String(status)])
  const isFinal = Number.isInteger(mapped) && mapped >= 200 && mapped <= 599
  return isFinal && !isRedirect(mapped) ? mapped : status
}

/**
 * The status of an error inside a stream or a 200 answer for a client of another wire format. Where it is about
 * the channel's key, the client must not take it for its own.
 */
export function hiddenStatus(status: number, format: CallFormat): number {
  return status === 401 || status === 403 ? 502 : statusFor(status, format)
}

/** A failure of an upstream of another wire format for a client of this one. */
export function foreignFailure(error: GatewayError, format: CallFormat): GatewayError {
  const { code, message, vendorCode, field, retryAfter } = error
  const status = statusFor(error.status, format)
  if (code !== 'upstream_error' || status === error.status) return error
  return new GatewayError(code, {
    message,
    status,
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(field === undefined ? {} : { field }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: error,
  })
}

const hiddenErrors = new WeakMap<GatewayError, VendorError>()

/** What the vendor itself said, where a failure was made of an error in a 200 answer. */
export const hiddenError = (failure: GatewayError): VendorError | undefined =>
  hiddenErrors.get(failure)

/** An error that came inside a 200 answer or as a stream's first event. */
export function hiddenFailure(error: VendorError, channel: Channel): GatewayError {
  const status = error.status ?? 502
  const wait = status === 429 ? sentenceHint(error.message) : null
  const failure =
    status === 401 || (status === 403 && !isAboutContent(error.message))
      ? new GatewayError('channel_key_refused', {
          message: `The vendor refused the key of channel "${channel.name}": ${error.message}`,
        })
      : new GatewayError('upstream_error', {
          message: error.message,
          status,
          ...(error.code === null ? {} : { vendorCode: error.code }),
          ...(error.param === undefined ? {} : { field: error.param }),
          ...(wait === null ? {} : { retryAfter: wait }),
        })
  hiddenErrors.set(failure, error)
  return failure
}
