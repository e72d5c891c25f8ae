import { GatewayError } from '../../base/errors.ts'
import type { Why } from '../../base/reason.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { traitsOf } from '../../convert/codecs.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import type { Channel } from '../../store/records/channels.ts'
import { isRedirect, redirectReason, redirectTarget } from '../../upstream/redirect-target.ts'
import type { Failure, RefusedFailure } from './failure.ts'
import { nameChannel } from './name-channel.ts'
import { type AccountStatus, accountStatus, isAboutRequest } from './refuses-key.ts'

/** The failure that a client is told when no channel has answered. */
export interface ReportedFailure {
  failure: Failure
  channel: Channel
  /** The upstream was called in another wire format than the client's. */
  isForeign: boolean
}

/** The vendor's word on another try. */
function retryHints({ retryAfter, refusal }: RefusedFailure): {
  retryAfter?: number
  shouldRetry?: boolean
} {
  const word = refusal.headers['x-should-retry']
  return {
    ...(retryAfter === null ? {} : { retryAfter }),
    ...(word === 'true' || word === 'false' ? { shouldRetry: word === 'true' } : {}),
  }
}

/** Bytes in which the reason stands; to look through more for markup takes too long. */
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

/** The vendor's sentence; '' where its body says nothing. */
const sentenceOf = ({ vendor, refusal }: RefusedFailure): string =>
  vendor?.message || excerpt(refusal.body)

const accountWords: Readonly<Record<AccountStatus, (channel: string, status: number) => string>> = {
  402: (channel, status) =>
    `The vendor account of channel "${channel}" is out of credit (status ${status}). Top it up at the vendor, which says:`,
  429: (channel, status) =>
    `The plan of channel "${channel}" is used up for now (status ${status}). Its vendor says:`,
}

/** The gateway's own words for a refusal that no client may get as it came; null for any other. */
function explainRefusal(failure: RefusedFailure, { name }: Channel): GatewayError | null {
  const { refusal, refusesKey, form } = failure
  const { status, headers, body, url } = refusal
  // Before its body is looked at: a client that gets the status and `Location` sends the call there.
  if (isRedirect(status)) {
    return new GatewayError('upstream_error', {
      message: `The upstream of channel "${name}" redirects (status ${status}) ${redirectTarget(headers, url)}. The gateway never follows a redirect, because the prompt and the key would go there. Check the channel's base URL.`,
      reason: {
        ...{ code: 'upstream_redirects_call', channel: name, status },
        target: redirectReason(headers, url),
      },
    })
  }
  const ofAccount = accountStatus(status, failure.words, failure.vendorMessage)
  if (form !== 'text' && !refusesKey && !ofAccount) return null
  const own = sentenceOf(failure)
  const reason = own || 'no reason given'
  const said: Why = own || { code: 'no_reason_given' }
  if (ofAccount) {
    const code = ofAccount === 402 ? 'channel_without_money' : 'channel_plan_used_up'
    return new GatewayError('upstream_error', {
      message: `${accountWords[ofAccount](name, status)} ${reason}`,
      reason: { code, channel: name, status, said },
      status: ofAccount,
      // A plan that is used up stays so for hours.
      ...(ofAccount === 429 && { shouldRetry: false, ...retryHints(failure) }),
    })
  }
  if (refusesKey) {
    // A 401 would tell the client that its own token is bad.
    return new GatewayError('channel_key_refused', {
      message: `The vendor refused the key of channel "${name}" (status ${status}): ${reason}`,
      reason: { code: 'channel_key_refused', channel: name, status, said },
    })
  }
  if (status >= 300 && status < 400) {
    return new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${name}" redirects (status ${status}). Check the channel's base URL.`,
      reason: { code: 'upstream_redirect_bare', channel: name, status },
    })
  }
  const isPage = /<html|<!doctype/i.test(body.toString('utf8', 0, 1000))
  return new GatewayError('upstream_error', {
    message: isPage
      ? `The upstream of channel "${name}" answered with a web page (status ${status}): ${reason}. Check the channel's base URL.`
      : `The upstream of channel "${name}" answered with status ${status}: ${reason}`,
    reason: { code: isPage ? 'channel_web_page' : 'channel_answered', channel: name, status, said },
    status: status >= 400 ? status : 502,
    ...retryHints(failure),
  })
}

/** 529 is Anthropic's own; other vendors say 503 when they are overloaded (wire-formats §1.6). */
function statusFor(status: number, format: CallFormat): number {
  const { overloadedStatus = 503 } = traitsOf(format)
  return status === 503 || status === 529 ? overloadedStatus : status
}

/** The status that the channel's owner wants shown in an upstream status's place; never a redirect. */
export function mapStatus(status: number, { statusCodeMapping }: Channel): number {
  const mapped = Number(statusCodeMapping[String(status)])
  const isFinal = Number.isInteger(mapped) && mapped >= 200 && mapped <= 599
  return isFinal && !isRedirect(mapped) ? mapped : status
}

/**
 * The status of an error inside an answer for a client of another wire format. A client must not take a refused
 * channel key for its own.
 */
export function hiddenStatus(
  { status, message, code }: Readonly<VendorError>,
  format: CallFormat,
): number {
  const ofAccount = accountStatus(status, [code], message)
  if (ofAccount) return ofAccount
  if (status === 403 && isAboutRequest(message, [code])) return status
  return status === 401 || status === 403 ? 502 : statusFor(status ?? 502, format)
}

/** A refusal in the client's format, with the vendor's words. */
function foreignRefusal(
  failure: RefusedFailure,
  channel: Channel,
  format: CallFormat,
): GatewayError {
  const { vendor, refusal } = failure
  const { status } = refusal
  const said = sentenceOf(failure)
  return new GatewayError('upstream_error', {
    message: said || `status ${status}`,
    // The vendor's own words stand for themselves.
    ...(said === '' && { reason: { code: 'upstream_silent', status } as const }),
    status: statusFor(mapStatus(status, channel), format),
    ...(vendor?.code ? { vendorCode: vendor.code } : {}),
    ...(vendor?.param ? { field: vendor.param } : {}),
    ...retryHints(failure),
  })
}

function foreignError(error: GatewayError, format: CallFormat): GatewayError {
  const { code, message, reason, vendorCode, field, retryAfter } = error
  const status = statusFor(error.status, format)
  if (code !== 'upstream_error' || status === error.status) return error
  return new GatewayError(code, {
    message,
    status,
    ...(reason && { reason }),
    ...(vendorCode === undefined ? {} : { vendorCode }),
    ...(field === undefined ? {} : { field }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: error,
  })
}

/** The client's error in its own format, never the vendor's answer as it came. */
export function reportAsError(
  { failure, channel, isForeign }: ReportedFailure,
  format: CallFormat,
): GatewayError {
  if (failure.error) {
    const error = nameChannel(failure.error, channel)
    return isForeign ? foreignError(error, format) : error
  }
  return explainRefusal(failure, channel) ?? foreignRefusal(failure, channel, format)
}

/** The client's answer to a failure: the vendor's refusal as it came where the client can read it, else an error. */
export function reportFailure(
  reported: ReportedFailure,
  format: CallFormat,
): GatewayError | RefusedFailure {
  const { failure, channel, isForeign } = reported
  if (failure.error || isForeign) return reportAsError(reported, format)
  const own = explainRefusal(failure, channel)
  if (own) return own
  const isReadable = failure.form === 'object' || traitsOf(format).readsErrorLists
  return isReadable ? failure : foreignRefusal(failure, channel, format)
}
