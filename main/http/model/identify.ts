import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { GatewayError } from '../../base/errors.ts'
import { keychainLocked } from '../../base/keychain-locked.ts'
import type { Caller } from '../../relay/call/call.ts'
import type { Token, Tokens } from '../../store/records/tokens.ts'
import type { Users } from '../../store/records/users.ts'
import type { SecretKey } from '../../store/secret-key/secret-key.ts'

const TOKEN_LENGTH = 48

const KEY_HEADERS = ['x-api-key', 'x-goog-api-key', 'api-key']

/** Browsers cannot set headers on a WebSocket: OpenAI's client puts the key among the subprotocols. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'

function protocolKeys({
  upgrade,
  'sec-websocket-protocol': offered = '',
}: IncomingHttpHeaders): string[] {
  if (upgrade?.toLowerCase() !== 'websocket') return []
  const names = offered.split(',').map((protocol) => protocol.trim())
  return names
    .filter((name) => name.startsWith(KEY_PROTOCOL))
    .map((name) => name.slice(KEY_PROTOCOL.length))
}

/** Every key that the request carries, in the order of wire-formats §1.3. */
export function keysOf(headers: IncomingHttpHeaders, query: URLSearchParams | null): string[] {
  const { authorization } = headers
  const keys: string[] = []
  const bearer = authorization?.replace(/^Bearer(?:\s+|$)/i, '').trim()
  if (bearer) keys.push(bearer)
  for (const name of KEY_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') keys.push(value.trim())
  }
  const inQuery = query?.get('key')
  if (inQuery) keys.push(inQuery)
  if (headers.upgrade !== undefined) keys.push(...protocolKeys(headers))
  return keys
}

/** A key's token, and the channel that it names (`sk-<key>-<channel id>`). */
function findToken(key: string, tokens: Tokens): { token: Token; pinned: string | null } | null {
  const bare = key.startsWith('sk-') ? key.slice(3) : key
  const token = tokens.byKey(bare.slice(0, TOKEN_LENGTH))
  if (!token) return null
  if (bare.length === TOKEN_LENGTH) return { token, pinned: null }
  if (bare[TOKEN_LENGTH] !== '-') return null
  return { token, pinned: bare.slice(TOKEN_LENGTH + 1) }
}

function pinnedChannel(pinned: string | null): number | null {
  if (pinned === null) return null
  if (/^\d{1,9}$/.test(pinned)) return Number(pinned)
  throw new GatewayError('pinned_channel_unknown', {
    message: `The key names channel "${pinned}"; a channel id is a number: sk-<key>-<channel id>.`,
    reason: { code: 'pinned_no_number', given: pinned },
  })
}

/**
 * (2) Who calls: the first key that is one of ours counts, for tools often send a dummy beside the real
 * one. Throws `missing_token`, `masked_token` or `unknown_token`; `keychain_locked` while no key can be checked.
 */
export function identify(
  request: IncomingMessage,
  query: URLSearchParams | null,
  stores: { tokens: Tokens; users: Users; secretKey: Pick<SecretKey, 'lock'> },
  ip: string,
): Caller {
  let sent = false
  let masked = false
  for (const key of keysOf(request.headers, query)) {
    sent = true
    masked ||= key.includes('*')
    const found = findToken(key, stores.tokens)
    const user = found && stores.users.byId(found.token.userId)
    if (found && user) {
      return { token: found.token, user, ip, pinnedChannel: pinnedChannel(found.pinned) }
    }
  }
  if (masked) {
    throw new GatewayError('masked_token', {
      message:
        'This is the masked form of a token, as lists show it. Copy the full key in the console: Connect → Tokens.',
      reason: { code: 'key_masked' },
    })
  }
  if (sent && stores.secretKey.lock) throw keychainLocked()
  if (sent) {
    throw new GatewayError('unknown_token', {
      message:
        "This key is not a token of this gateway. Create one in the console: Connect → Tokens. A vendor's own key belongs into a channel.",
      reason: { code: 'key_unknown' },
    })
  }
  throw new GatewayError('missing_token', {
    message:
      'No key was sent. Send a token of this gateway as "Authorization: Bearer sk-…", x-api-key, x-goog-api-key or api-key.',
    reason: { code: 'key_missing' },
  })
}
