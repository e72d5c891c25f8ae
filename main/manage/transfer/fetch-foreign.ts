import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { proxyFor } from '../../relay/channel/channel-connection.ts'
import { readRelayGateway } from '../../transfer/from/relay-gateway/relay-gateway.ts'
import type { Foreign } from '../../transfer/transfer.ts'
import { readBaseUrl } from '../channels/channel-base-url.ts'
import { askVendor, VendorRefusal } from '../channels/maintenance/ask-vendor.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** A running gateway of another program, and who asks it. */
export interface ForeignGateway {
  from: 'new-api' | 'one-api'
  /** `https://gateway.example.com`, with or without `/v1` behind it. */
  address: string
  access_token: string
  /** new-api wants it beside the access token. */
  user_id?: number | undefined
}

/** Bytes of all pages together. */
const MOST_BYTES = 20_000_000

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** new-api reads both spellings, one-api compares the whole header. */
function headersOf({ from, access_token, user_id }: ForeignGateway): Record<string, string> {
  const token = access_token.trim().replace(/^Bearer\s+/i, '')
  if (!/^[\x21-\x7e]{1,2000}$/.test(token)) {
    throw refuse('access_token', 'The access token is empty or holds characters that none has.', {
      code: 'foreign_token_wrong',
    })
  }
  return {
    authorization: from === 'new-api' ? `Bearer ${token}` : token,
    ...(user_id === undefined ? {} : { 'new-api-user': String(user_id) }),
  }
}

/** HTTP statuses by which an access token is refused. */
const refusals: ReadonlySet<number> = new Set([401, 403])

/** new-api names a header where its user ID is missing, which nobody can enter here. */
function tokenRefused({ from, user_id }: ForeignGateway, cause: VendorRefusal): GatewayError {
  const wantsUser = from === 'new-api' && user_id === undefined
  const said = cause.said || String(cause.vendorStatus)
  const step = wantsUser
    ? 'Enter the user ID of the token’s owner.'
    : `Check the access token${from === 'new-api' ? ' and the user ID' : ''}.`
  return new GatewayError('upstream_error', {
    message: `${from} refused: “${said}”. ${step}`,
    field: wantsUser ? 'user_id' : 'access_token',
    cause,
    reason: { code: wantsUser ? 'foreign_wants_user' : 'foreign_token_refused', from, said },
  })
}

/**
 * Reads another gateway over its API, within 15 seconds and without following redirects. Throws
 * `invalid_params` for a wrong address or token, and as `askVendor` does.
 */
export function fetchForeign(
  source: ForeignGateway,
  context: Pick<OperationContext, 'parts' | 'signal' | 'user'>,
): Promise<Foreign> {
  const { parts, signal } = context
  const typed = readBaseUrl(source.address, parts, { field: 'address' })
  if (typed === '')
    throw refuse('address', 'Enter the address of the gateway.', {
      code: 'foreign_address_missing',
    })
  const base = typed.replace(/\/(?:v1|api|console|panel)$/, '')
  const headers = headersOf(source)
  const publicOnly = signedIn(context).role < 100
  const way = (url: string) => proxyFor({ setting: {}, publicOnly }, url, parts)
  const question = { key: source.access_token, wanted: 'all of its pages', way, signal }
  const foreign = askVendor(question, (get) => {
    let bytes = 0
    return readRelayGateway(source.from, async (path) => {
      const { json, size } = await get(base + path, headers)
      bytes += size
      if (bytes <= MOST_BYTES) return json
      throw new GatewayError('upstream_error', {
        message: `${source.from} answered with more than ${MOST_BYTES / 1_000_000} MB, the most that can be read. Delete what you no longer need there, or create its channels by hand.`,
        reason: { code: 'foreign_too_large', from: source.from, megabytes: MOST_BYTES / 1_000_000 },
      })
    })
  })
  return foreign.catch((error: unknown) => {
    if (error instanceof VendorRefusal && refusals.has(error.vendorStatus))
      throw tokenRefused(source, error)
    // The unreadable text came from there, not from a field of the caller's.
    const isShape = error instanceof GatewayError && error.field === 'text'
    if (!isShape) throw error
    throw new GatewayError('upstream_error', {
      message: `${source.from} answered in another form than it should. ${error.message}`,
      field: 'address',
      cause: error,
      reason: { code: 'foreign_other_form', from: source.from, why: error.reason ?? error.message },
    })
  })
}
