import { redact } from './log/redact.ts'
import type { Reason } from './reason.ts'

/**
 * Every failure the gateway itself reports, in one table: its HTTP status, whether the same call can
 * succeed when it is sent again, and its name in each wire format's error vocabulary.
 *
 * Error types and statuses: https://platform.openai.com/docs/guides/error-codes,
 * https://docs.anthropic.com/en/api/errors, https://ai.google.dev/gemini-api/docs/troubleshooting
 */
interface ErrorRow {
  /** HTTP status. */
  status: number
  /** May the client repeat the very same call? Becomes the header `x-should-retry`. */
  retryable: boolean
  /** `error.type` in the OpenAI shape. */
  openai: string
  /** `error.type` in the Anthropic shape. */
  anthropic: string
  /** `error.status` in the Google shape. */
  google: string
}

const row = (
  status: number,
  openai: string,
  anthropic: string,
  google: string,
  retryable = false,
): ErrorRow => ({ status, retryable, openai, anthropic, google })

const badRequest = row(400, 'invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT')
const unauthenticated = row(401, 'authentication_error', 'authentication_error', 'UNAUTHENTICATED')
const forbidden = row(403, 'permission_error', 'permission_error', 'PERMISSION_DENIED')
const notFound = row(404, 'invalid_request_error', 'not_found_error', 'NOT_FOUND')
const conflict = row(409, 'invalid_request_error', 'conflict_error', 'ABORTED')
const badGateway = row(502, 'server_error', 'api_error', 'UNAVAILABLE', true)

export const errorTable = {
  // A request that cannot be right however often it is sent.
  invalid_request: badRequest,
  invalid_json: badRequest,
  corrupt_body: badRequest,
  unsupported_encoding: row(
    415,
    'invalid_request_error',
    'invalid_request_error',
    'INVALID_ARGUMENT',
  ),
  unsupported_media_type: row(
    415,
    'invalid_request_error',
    'invalid_request_error',
    'INVALID_ARGUMENT',
  ),
  // A channel leads back to the gateway that asks it.
  loop_detected: row(508, 'invalid_request_error', 'invalid_request_error', 'FAILED_PRECONDITION'),
  payload_too_large: row(413, 'invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'),
  // The client stopped in the middle of its request.
  request_timeout: row(408, 'timeout', 'timeout_error', 'DEADLINE_EXCEEDED', true),
  unknown_path: notFound,
  method_not_allowed: row(
    405,
    'invalid_request_error',
    'invalid_request_error',
    'INVALID_ARGUMENT',
  ),
  host_not_allowed: forbidden,
  origin_not_allowed: forbidden,

  // The token of a model call.
  missing_token: unauthenticated,
  unknown_token: unauthenticated,
  masked_token: unauthenticated,
  token_disabled: unauthenticated,
  token_expired: unauthenticated,
  token_exhausted: unauthenticated,
  access_denied: forbidden,
  user_disabled: forbidden,
  model_not_allowed: forbidden,
  pinning_not_allowed: forbidden,
  pinned_channel_unknown: badRequest,
  pinned_channel_disabled: forbidden,
  insufficient_user_quota: forbidden,
  pre_consume_token_quota_failed: forbidden,
  budget_exceeded: forbidden,
  group_not_allowed: forbidden,
  model_price_error: badRequest,
  rate_limit_exceeded: row(429, 'rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED', true),
  // More calls are under way than the gateway takes at once.
  gateway_busy: row(429, 'rate_limit_error', 'overloaded_error', 'RESOURCE_EXHAUSTED', true),

  // The owner lets no new calls in until further notice.
  gateway_paused: row(503, 'server_error', 'overloaded_error', 'UNAVAILABLE', true),

  // Where the call could go.
  model_not_found: notFound,
  // Every channel that could serve it has been told by its vendor to wait.
  channels_rate_limited: row(
    429,
    'rate_limit_error',
    'rate_limit_error',
    'RESOURCE_EXHAUSTED',
    true,
  ),
  no_channel: row(503, 'server_error', 'api_error', 'UNAVAILABLE'),
  format_not_served: badRequest,
  upgrade_required: row(
    426,
    'invalid_request_error',
    'invalid_request_error',
    'FAILED_PRECONDITION',
  ),
  websocket_not_served: row(
    426,
    'invalid_request_error',
    'invalid_request_error',
    'FAILED_PRECONDITION',
  ),

  // The key under which secrets are sealed cannot be had now: a person has to unlock the keychain.
  keychain_locked: row(503, 'server_error', 'api_error', 'UNAVAILABLE'),

  // Failures at the upstream.
  channel_misconfigured: badGateway,
  channel_key_refused: { ...badGateway, retryable: false },
  upstream_unreachable: badGateway,
  upstream_timeout: row(504, 'server_error', 'timeout_error', 'DEADLINE_EXCEEDED', true),
  upstream_cut: badGateway,
  upstream_invalid: badGateway,
  upstream_error: badGateway,
  client_gone: row(499, 'server_error', 'api_error', 'CANCELLED'),
  // Somebody pressed Stop. The client must not send it again by itself, as SDKs do after 409 and 503.
  call_stopped: row(499, 'server_error', 'api_error', 'CANCELLED'),
  shutting_down: row(503, 'server_error', 'overloaded_error', 'UNAVAILABLE', true),

  // Management (names of management-api §1.1).
  unauthenticated,
  invalid_access_token: unauthenticated,
  invalid_credentials: unauthenticated,
  invalid_code: badRequest,
  locked: row(423, 'invalid_request_error', 'invalid_request_error', 'FAILED_PRECONDITION'),
  forbidden,
  // Upper case as clients of new-api know them (management-api §3.4).
  VERIFICATION_REQUIRED: forbidden,
  VERIFICATION_EXPIRED: forbidden,
  VERIFICATION_INVALID: forbidden,
  invalid_params: badRequest,
  not_found: notFound,
  conflict,
  already_used: conflict,
  disabled: conflict,
  expired: conflict,
  rate_limited: row(429, 'rate_limit_error', 'rate_limit_error', 'RESOURCE_EXHAUSTED', true),
  storage_failed: row(507, 'server_error', 'api_error', 'INTERNAL', true),
  internal: row(500, 'server_error', 'api_error', 'INTERNAL', true),
} satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

export interface ErrorDetails {
  /** The cause and the remedy, one or two sentences for a person. */
  message: string
  /** The same for administrators, where it tells what callers must not know: the address of an upstream or proxy. */
  adminMessage?: string
  /** The address of the upstream or proxy; only if `adminMessage` adds nothing else. */
  adminAddress?: string
  /** The field at fault, as a path in the caller's body (`messages[0].role`) or a header's name. */
  field?: string
  /** The message by code and values, for a console in another language. */
  reason?: Reason
  /** Overrides the table's status, e.g. an upstream's own. */
  status?: number
  /** Seconds after which a retry makes sense. */
  retryAfter?: number
  /** The vendor's own word on whether the same call may be sent again. */
  shouldRetry?: boolean
  /** The vendor's own code, which some clients act on (`context_length_exceeded`). */
  vendorCode?: string
  cause?: unknown
}

/** Characters of a message that are told, and how many more are looked at: a secret may begin before the cut. */
const LONGEST_MESSAGE = 32_768
const BEHIND = 4_096

/** Vendors quote the key that they refuse, and files name what they hold; callers quote what they like. */
const shownMessage = (message: string): string =>
  message.length <= LONGEST_MESSAGE + BEHIND
    ? redact(message)
    : `${redact(message.slice(0, LONGEST_MESSAGE + BEHIND)).slice(0, -BEHIND)}…`

/** Characters of a value of a reason: it goes into rows and files beside the message. */
const LONGEST_VALUE = 2000

/** A reason's values as the message shows them; each is cut, for a caller's or a vendor's text may be of any length. */
export function shownValue(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    if (name === 'code') return value
    const shown = redact(value.slice(0, LONGEST_VALUE + BEHIND))
    return shown.length > LONGEST_VALUE ? `${shown.slice(0, LONGEST_VALUE)}…` : shown
  }
  if (Array.isArray(value)) return value.map((one) => shownValue(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownValue(one, key)]))
}

/** A failure with a stable code; the only error that reaches a client with its own words. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  /** `message`, or what administrators are told in its place. */
  readonly adminMessage: string
  readonly field: string | undefined
  readonly reason: Reason | undefined
  readonly adminAddress: string | undefined
  readonly status: number
  readonly retryAfter: number | undefined
  readonly shouldRetry: boolean | undefined
  readonly vendorCode: string | undefined

  constructor(code: ErrorCode, details: ErrorDetails) {
    const options = details.cause === undefined ? undefined : { cause: details.cause }
    super(shownMessage(details.message), options)
    this.code = code
    const { adminMessage } = details
    this.adminMessage = adminMessage === undefined ? this.message : shownMessage(adminMessage)
    this.field = details.field
    this.reason = shownValue(details.reason) as Reason | undefined
    this.adminAddress =
      details.adminAddress === undefined ? undefined : redact(details.adminAddress)
    this.status = details.status ?? errorTable[code].status
    this.retryAfter = details.retryAfter
    this.shouldRetry = details.shouldRetry
    this.vendorCode = details.vendorCode
  }

  /** `adminMessage` by code; undefined if it says more than the reason and the address. */
  get adminReason(): Reason | undefined {
    const { reason, adminAddress: address } = this
    if (this.adminMessage === this.message) return reason
    return reason && address !== undefined
      ? { code: 'at_address', address, why: reason }
      : undefined
  }
}

/** Error type of an upstream's own status. */
const statusRows: Readonly<Record<number, ErrorRow>> = {
  401: unauthenticated,
  402: row(402, 'insufficient_quota', 'billing_error', 'FAILED_PRECONDITION'),
  403: forbidden,
  404: notFound,
  408: row(408, 'timeout', 'timeout_error', 'DEADLINE_EXCEEDED', true),
  409: { ...conflict, retryable: true },
  413: errorTable.payload_too_large,
  429: errorTable.rate_limited,
  500: errorTable.internal,
  501: row(501, 'server_error', 'api_error', 'UNIMPLEMENTED', true),
  504: errorTable.upstream_timeout,
  529: errorTable.shutting_down,
}

/** A failure's row: its code's, or its status's where that is not the one the code stands for. */
export function errorRow({ code, status }: GatewayError): ErrorRow {
  const own: ErrorRow = errorTable[code]
  if (status === own.status) return own
  return statusRows[status] ?? (status < 500 ? badRequest : badGateway)
}
