import type { CapturedHeaders } from './capture.ts'

/** Headers as Node or undici have them: a flat list of names and values, or an object. */
export type HeaderSource =
  | readonly string[]
  | Readonly<Record<string, string | number | readonly string[] | undefined>>

/** A header, query parameter or field whose name says that its value is a key, a cookie or a signature. */
const SECRET_NAME = /auth|key|token|secret|cookie|password|signature|credential|session/i
/** Names that match, but only count or name something. */
const HARMLESS =
  /^(?:x-ratelimit-.*|anthropic-ratelimit-.*|.*-tokens?-(?:remaining|limit|reset|count)|idempotency-key|.*session[-_]id|x-stainless-.*|sec-websocket-key)$/i

/** By name, so that each is looked at once: clients send the same few. */
const known = new Map<string, boolean>()
/** Names kept at most: a client can send any. */
const MOST_NAMES = 1000

function isSecretName(name: string): boolean {
  let isSecret = known.get(name)
  if (isSecret === undefined) {
    isSecret = SECRET_NAME.test(name) && !HARMLESS.test(name)
    if (known.size < MOST_NAMES) known.set(name, isSecret)
  }
  return isSecret
}

/** Stands in place of a key. */
export const REMOVED = '[removed]'

/** The scheme stays, since a wrong one is a common mistake: `Bearer [removed]`. */
function withoutValue(value: string): string {
  const scheme = /^(?:basic|bearer|token|apikey|aws4-hmac-sha256)\s/i.exec(value)?.[0]
  return scheme ? `${scheme}${REMOVED}` : REMOVED
}

/** Headers without keys, cookies and signatures. */
export function capturedHeaders(source: HeaderSource): CapturedHeaders {
  const pairs: [string, string][] = []
  const add = (name: string, value: string) => {
    pairs.push([name, isSecretName(name) ? withoutValue(value) : value])
  }
  if (isFlat(source)) {
    for (let at = 0; at + 1 < source.length; at += 2)
      add(source[at] as string, source[at + 1] as string)
  } else {
    for (const name in source) {
      const value = source[name]
      if (Array.isArray(value)) for (const one of value) add(name, one)
      else if (value !== undefined) add(name, String(value))
    }
  }
  return pairs
}

const isFlat = (source: HeaderSource): source is readonly string[] => Array.isArray(source)

/** The URL without the values of secret query parameters, and without a user's name and password. */
export function capturedUrl(url: string): string {
  const bare = url.includes('@') ? url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1') : url
  const mark = bare.indexOf('?')
  if (mark < 0) return bare
  const query = bare
    .slice(mark + 1)
    .replace(/(^|&)([^=&]*)=([^&]*)/g, (whole, and, name) =>
      isSecretName(name) ? `${and}${name}=${REMOVED}` : whole,
    )
  return `${bare.slice(0, mark)}?${query}`
}
