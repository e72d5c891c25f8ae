import { type ErrorCode, GatewayError } from '../base/errors.ts'

/** undici's parser knows its faults by numbers, of which it makes no codes. */
const NO_HTTP = 'HPE_INVALID'

const codeOf = (error: unknown): string => {
  const one = error as { code?: unknown; name?: unknown; cause?: unknown } | null
  if (typeof one?.code === 'string') return one.code
  if (one?.name === 'HTTPParserError') return NO_HTTP
  return one?.cause ? codeOf(one.cause) : ''
}

/** undici and Node each have a code of their own for a character that no header may hold. */
const UNSENDABLE =
  "the request cannot be written: check the channel's key, base URL and header override"

const CHECK_NAME = 'check the base URL for typing errors, and the network of this machine'

const OWN_AUTHORITY =
  'if you trust it, add the certificate of its authority in Settings (ExtraCaCertificates)'

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address: check host and port, and that the server runs',
  ENOTFOUND: `the host name is not known: ${CHECK_NAME}`,
  EAI_AGAIN: `the host name could not be looked up: ${CHECK_NAME}`,
  EHOSTUNREACH: 'the host cannot be reached: check the network of this machine',
  ENETUNREACH: 'the network cannot be reached: check the network of this machine',
  ETIMEDOUT: 'the connection got no answer: check the network, or set a proxy',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while sending',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has another length than it said',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has more headers than are accepted (64 KiB)',
  HPE_HEADER_OVERFLOW: 'the answer has more headers than are accepted (16 KiB)',
  CERT_HAS_EXPIRED:
    'its certificate has expired: its owner must renew it (or the clock of this machine is wrong)',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clock of this machine',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed: ${OWN_AUTHORITY}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate chain holds a self-signed certificate: ${OWN_AUTHORITY}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate cannot be verified: ${OWN_AUTHORITY}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate's authority is not known: ${OWN_AUTHORITY}`,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host name: enter the name that it is for in the base URL',
  UND_ERR_INVALID_ARG: UNSENDABLE,
  ERR_INVALID_CHAR: UNSENDABLE,
  EPROTO: 'it does not speak TLS as expected (http and https mixed up?)',
}

function sentenceFor(code: string): string {
  if (code in sentences) return sentences[code] ?? ''
  if (code.startsWith('HPE_')) return 'it does not answer in HTTP'
  return code.startsWith('ERR_SSL_') ? (sentences.EPROTO ?? '') : ''
}

/** The answer was not valid HTTP; a retry would bring the same. */
const isInvalid = (code: string): boolean =>
  code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'

function kindOf(code: string, hasBegun: boolean): ErrorCode {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && !hasBegun)) {
    return 'upstream_timeout'
  }
  if (isInvalid(code)) return 'upstream_invalid'
  return hasBegun ? 'upstream_cut' : 'upstream_unreachable'
}

/**
 * A network failure as a GatewayError that says what happened, never with a key or a query in it, and where only to
 * administrators:
 * `upstream_unreachable`, `upstream_timeout`, `upstream_invalid` for what is no HTTP, and `upstream_cut`
 * where the answer had begun.
 */
export function upstreamFailure(error: unknown, url: string, hasBegun = false): GatewayError {
  if (error instanceof GatewayError) return error
  const code = codeOf(error)
  const origin = URL.canParse(url) ? new URL(url).origin : url
  const why = sentenceFor(code)
  const reason = why || (error instanceof Error && !code ? error.message : code) || 'unknown reason'
  // A URL of another kind than http has no origin of its own.
  const place = origin === 'null' ? url : origin
  const problem = `failed: ${reason}${code && why ? ` (${code})` : ''}.`
  return new GatewayError(kindOf(code, hasBegun), {
    message: `The upstream ${problem}`,
    adminMessage: `The upstream at ${place} ${problem}`,
    cause: error,
  })
}
