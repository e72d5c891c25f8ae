import { type ErrorCode, GatewayError } from '../base/errors.ts'
import type { Sentence } from '../base/reason.ts'

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

/** What each code of Node's and undici's means. A code without a sentence here is told as it is. */
const sentences: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: {
    message: 'nothing listens at its address: check host and port, and that the server runs',
    reason: { code: 'network_refused' },
  },
  ENOTFOUND: {
    message: `the host name is not known: ${CHECK_NAME}`,
    reason: { code: 'network_name_unknown' },
  },
  EAI_AGAIN: {
    message: `the host name could not be looked up: ${CHECK_NAME}`,
    reason: { code: 'network_name_unanswered' },
  },
  EHOSTUNREACH: {
    message: 'the host cannot be reached: check the network of this machine',
    reason: { code: 'network_host_out_of_reach' },
  },
  ENETUNREACH: {
    message: 'the network cannot be reached: check the network of this machine',
    reason: { code: 'network_out_of_reach' },
  },
  ETIMEDOUT: {
    message: 'the connection got no answer: check the network, or set a proxy',
    reason: { code: 'network_no_answer' },
  },
  ECONNRESET: {
    message: 'the connection was reset',
    reason: { code: 'network_reset' },
  },
  EPIPE: {
    message: 'the connection was closed while sending',
    reason: { code: 'network_closed_while_sending' },
  },
  UND_ERR_SOCKET: {
    message: 'the connection was closed before the answer was complete',
    reason: { code: 'network_closed_early' },
  },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    message: 'the answer has another length than it said',
    reason: { code: 'network_other_length' },
  },
  UND_ERR_HEADERS_OVERFLOW: {
    message: 'the answer has more headers than are accepted (64 KiB)',
    reason: { code: 'network_headers', kibibytes: 64 },
  },
  HPE_HEADER_OVERFLOW: {
    message: 'the answer has more headers than are accepted (16 KiB)',
    reason: { code: 'network_headers', kibibytes: 16 },
  },
  CERT_HAS_EXPIRED: {
    message:
      'its certificate has expired: its owner must renew it (or the clock of this machine is wrong)',
    reason: { code: 'certificate_expired' },
  },
  CERT_NOT_YET_VALID: {
    message: 'its certificate is not valid yet: check the clock of this machine',
    reason: { code: 'certificate_early' },
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    message: `its certificate is self-signed: ${OWN_AUTHORITY}`,
    reason: { code: 'certificate_self_signed' },
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    message: `its certificate chain holds a self-signed certificate: ${OWN_AUTHORITY}`,
    reason: { code: 'certificate_chain_self_signed' },
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    message: `its certificate cannot be verified: ${OWN_AUTHORITY}`,
    reason: { code: 'certificate_unverifiable' },
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    message: `its certificate's authority is not known: ${OWN_AUTHORITY}`,
    reason: { code: 'certificate_authority_unknown' },
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    message:
      'its certificate is for another host name: enter the name that it is for in the base URL',
    reason: { code: 'certificate_other_name' },
  },
  UND_ERR_INVALID_ARG: {
    message: UNSENDABLE,
    reason: { code: 'request_unwritable' },
  },
  ERR_INVALID_CHAR: {
    message: UNSENDABLE,
    reason: { code: 'request_unwritable' },
  },
  EPROTO: {
    message: 'it does not speak TLS as expected (http and https mixed up?)',
    reason: { code: 'tls_unexpected' },
  },
}

const noHttp: Sentence = {
  message: 'it does not answer in HTTP',
  reason: { code: 'answer_no_http' },
}

function sentenceFor(code: string): Sentence | undefined {
  if (code in sentences) return sentences[code]
  if (code.startsWith('HPE_')) return noHttp
  return code.startsWith('ERR_SSL_') ? sentences.EPROTO : undefined
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
  const said =
    why?.message || (error instanceof Error && !code ? error.message : code) || 'unknown reason'
  // A URL of another kind than http has no origin of its own.
  const place = origin === 'null' ? url : origin
  const problem = `failed: ${said}${code && why ? ` (${code})` : ''}.`
  return new GatewayError(kindOf(code, hasBegun), {
    message: `The upstream ${problem}`,
    reason: { code: 'upstream_failed', why: why?.reason ?? said, system: why ? code : '' },
    adminMessage: `The upstream at ${place} ${problem}`,
    adminAddress: place,
    cause: error,
  })
}
