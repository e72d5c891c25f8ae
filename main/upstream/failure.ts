import { GatewayError } from '../base/errors.ts'

const codeOf = (error: unknown): string => {
  const one = error as { code?: unknown; cause?: unknown } | null
  if (typeof one?.code === 'string') return one.code
  return one?.cause ? codeOf(one.cause) : ''
}

/** undici and Node each have a code of their own for a character that no header may hold. */
const UNSENDABLE =
  "the request cannot be written: check the channel's key, base URL and header override"

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at that address',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while sending',
  UND_ERR_SOCKET: 'the connection was closed before the answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has more headers than are accepted',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain holds a self-signed certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  UND_ERR_INVALID_ARG: UNSENDABLE,
  ERR_INVALID_CHAR: UNSENDABLE,
  EPROTO: 'it does not speak TLS as expected (http and https mixed up?)',
}

/** A network failure as a GatewayError that says what happened, never with a key or a query in it. */
export function upstreamFailure(error: unknown, url: string): GatewayError {
  if (error instanceof GatewayError) return error
  const code = codeOf(error)
  const origin = URL.canParse(url) ? new URL(url).origin : url
  const why = sentences[code] ?? (code.startsWith('HPE_') ? 'it does not answer in HTTP' : '')
  const reason = why || (error instanceof Error && !code ? error.message : code) || 'unknown reason'
  const kind = code === 'UND_ERR_CONNECT_TIMEOUT' ? 'upstream_timeout' : 'upstream_unreachable'
  return new GatewayError(kind, {
    message: `The upstream at ${origin} failed: ${reason}${code && why ? ` (${code})` : ''}.`,
    cause: error,
  })
}
