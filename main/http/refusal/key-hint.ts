import type { IncomingHttpHeaders } from 'node:http'
import type { Sentence } from '../../base/reason.ts'

const RIGHT_WAY = 'send it as "Authorization: Bearer sk-…".'
const GIVE_TOKEN = 'and give the tool a token of this gateway.'

/** The first that fits counts: some begin like others. */
const vendorKeys: readonly [RegExp, string, string][] = [
  [/^sk-ant-/, 'Anthropic', 'sk-ant-…'],
  [/^sk-or-/, 'OpenRouter', 'sk-or-…'],
  [/^sk-(?:proj|svcacct|admin)-/, 'OpenAI', 'sk-proj-…'],
  [/^AIza/, 'Google', 'AIza…'],
  [/^gsk_/, 'Groq', 'gsk_…'],
  [/^xai-/, 'xAI', 'xai-…'],
  [/^pplx-/, 'Perplexity', 'pplx-…'],
  [/^hf_/, 'Hugging Face', 'hf_…'],
]

const CLAUDE_SIGN_IN = /^sk-ant-oat/

/** Sign-ins of accounts: a JSON Web Token, or one of Google's. */
const SIGN_IN = /^(?:eyJ|ya29\.)/

const wrongHeaders = new Set([
  ...['apikey', 'api_key', 'x-apikey', 'x-api-token', 'x-auth-token', 'x-access-token'],
  ...['access-token', 'token', 'x-token', 'auth', 'authentication', 'x-authorization'],
  ...['proxy-authorization', 'openai-api-key', 'x-openai-api-key', 'anthropic-api-key'],
  ...['x-anthropic-api-key', 'anthropic-auth-token', 'x-litellm-api-key', 'google-api-key'],
])
const wrongQuery = new Set(['api_key', 'api-key', 'apikey', 'token', 'access_token', 'auth'])

const isKey = (value: unknown): boolean =>
  typeof value === 'string' && /^(?:Bearer\s+)?(?:sk-|AIza)\S/i.test(value)

/** A place where a key was sent but isn't read. */
export function misplacedKeyHint(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
): Sentence | null {
  const names = Object.keys(headers)
  const header =
    names.find((name) => wrongHeaders.has(name)) ?? names.find((name) => isKey(headers[name]))
  if (header !== undefined) {
    const name = header.slice(0, 60)
    return {
      message: `Your tool sent its key in the header "${name}": ${RIGHT_WAY}`,
      reason: { code: 'key_in_header', name },
    }
  }
  const parameter = [...query.keys()].find((name) => wrongQuery.has(name.toLowerCase()))
  return parameter === undefined
    ? null
    : {
        message: `Your tool sent its key in the query as "${parameter}": ${RIGHT_WAY}`,
        reason: { code: 'key_in_query', name: parameter },
      }
}

/** Issuer of a key that isn't a token of this gateway. */
export function foreignKeyHint(
  headers: IncomingHttpHeaders,
  keys: readonly string[],
): Sentence | null {
  for (const key of keys) {
    if (CLAUDE_SIGN_IN.test(key)) {
      return {
        message: `Your tool sent the sign-in of a Claude account (sk-ant-oat…): put that into a channel, ${GIVE_TOKEN}`,
        reason: { code: 'key_of_claude_account' },
      }
    }
    const [, vendor, shape] = vendorKeys.find(([pattern]) => pattern.test(key)) ?? []
    if (vendor !== undefined && shape !== undefined) {
      return {
        message: `Your tool sent ${vendor}'s key (${shape}): put that into a channel, ${GIVE_TOKEN}`,
        reason: { code: 'key_of_vendor', vendor, shape },
      }
    }
    if (SIGN_IN.test(key)) {
      return {
        message: `Your tool sent the sign-in of an account, not a key: sign it out there, ${GIVE_TOKEN}`,
        reason: { code: 'key_of_account' },
      }
    }
  }
  const scheme = /^([A-Za-z]+)\s+\S/.exec(headers.authorization ?? '')?.[1]
  if (scheme === undefined || scheme.toLowerCase() === 'bearer') return null
  const name = scheme.slice(0, 20)
  return {
    message: `Your tool sent its key as "Authorization: ${name}": ${RIGHT_WAY}`,
    reason: { code: 'key_by_scheme', name },
  }
}
