import type { IncomingHttpHeaders } from 'node:http'

const RIGHT_WAY = 'send it as "Authorization: Bearer sk-…".'
const GIVE_TOKEN = 'and give the tool a token of this gateway.'

/** The first that fits counts: some begin like others. */
const vendorKeys: readonly [RegExp, string][] = [
  [/^sk-ant-oat/, 'the sign-in of a Claude account (sk-ant-oat…)'],
  [/^sk-ant-/, "Anthropic's key (sk-ant-…)"],
  [/^sk-or-/, "OpenRouter's key (sk-or-…)"],
  [/^sk-(?:proj|svcacct|admin)-/, "OpenAI's key (sk-proj-…)"],
  [/^AIza/, "Google's key (AIza…)"],
  [/^gsk_/, "Groq's key (gsk_…)"],
  [/^xai-/, "xAI's key (xai-…)"],
  [/^pplx-/, "Perplexity's key (pplx-…)"],
  [/^hf_/, "Hugging Face's key (hf_…)"],
]

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
): string | null {
  const names = Object.keys(headers)
  const header =
    names.find((name) => wrongHeaders.has(name)) ?? names.find((name) => isKey(headers[name]))
  if (header !== undefined) {
    return `Your tool sent its key in the header "${header.slice(0, 60)}": ${RIGHT_WAY}`
  }
  const parameter = [...query.keys()].find((name) => wrongQuery.has(name.toLowerCase()))
  return parameter === undefined
    ? null
    : `Your tool sent its key in the query as "${parameter}": ${RIGHT_WAY}`
}

/** Issuer of a key that isn't a token of this gateway. */
export function foreignKeyHint(
  headers: IncomingHttpHeaders,
  keys: readonly string[],
): string | null {
  for (const key of keys) {
    const vendor = vendorKeys.find(([shape]) => shape.test(key))?.[1]
    if (vendor !== undefined) {
      return `Your tool sent ${vendor}: put that into a channel, ${GIVE_TOKEN}`
    }
    if (SIGN_IN.test(key)) {
      return `Your tool sent the sign-in of an account, not a key: sign it out there, ${GIVE_TOKEN}`
    }
  }
  const scheme = /^([A-Za-z]+)\s+\S/.exec(headers.authorization ?? '')?.[1]
  if (scheme === undefined || scheme.toLowerCase() === 'bearer') return null
  return `Your tool sent its key as "Authorization: ${scheme.slice(0, 20)}": ${RIGHT_WAY}`
}
