import type { ErrorCode, GatewayError } from '../../base/errors.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import { ErrorInAnswer } from './error-in-answer.ts'
import type { Failure, FailureKind, FailureSigns } from './failure.ts'
import { readTable } from './retry-rule.ts'
import { UnaskedStream } from './unasked-stream.ts'

const kinds: Partial<Record<ErrorCode, FailureKind>> = {
  upstream_unreachable: 'connect',
  upstream_timeout: 'timeout',
  upstream_cut: 'cut',
  upstream_invalid: 'invalid',
  channel_misconfigured: 'misconfigured',
  keychain_locked: 'locked',
  invalid_request: 'unfit',
}

/** Codes of undici and Node. */
const CONNECT_TIMEOUTS: readonly unknown[] = ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']

function kindOf(error: GatewayError): FailureKind {
  if (error instanceof UnaskedStream) return 'unasked'
  const kind = kinds[error.code] ?? 'other'
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return kind === 'timeout' && CONNECT_TIMEOUTS.includes(code) ? 'connect-timeout' : kind
}

/** A failure that the vendor said nothing of. */
function ownFailure(kind: FailureKind, error: GatewayError): Failure {
  const signs: FailureSigns = { kind, status: null, words: [], vendorMessage: '' }
  return {
    ...signs,
    ...readTable(signs),
    vendor: null,
    message: error.adminMessage,
    code: error.code,
    retryAfter: null,
    refusesKey: false,
    refusal: null,
    error,
  }
}

function hiddenFailure(vendor: VendorError, error: GatewayError): Failure {
  const { code, status, message } = vendor
  const signs: FailureSigns = {
    kind: 'hidden',
    status: status ?? 502,
    words: code === null ? [] : [code],
    vendorMessage: message,
  }
  return {
    ...signs,
    ...readTable(signs),
    vendor,
    message: error.adminMessage,
    code: code ?? error.code,
    retryAfter: error.retryAfter ?? null,
    refusesKey: error.code === 'channel_key_refused',
    refusal: null,
    error,
  }
}

/** The failure of an attempt that ended with this error. */
export const failureOfError = (error: GatewayError): Failure =>
  error instanceof ErrorInAnswer
    ? hiddenFailure(error.vendor, error)
    : ownFailure(kindOf(error), error)

/** The failure of an answer that had begun; null where its upstream is not to blame. */
export function failureOfCut(error: GatewayError): Failure | null {
  const { code, message, status, vendorCode = null } = error
  if (!code.startsWith('upstream_')) return null
  if (code !== 'upstream_error') return ownFailure('cut', error)
  return hiddenFailure({ message, status, code: vendorCode }, error)
}
