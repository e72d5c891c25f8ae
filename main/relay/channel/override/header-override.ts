import type { IncomingHttpHeaders } from 'node:http'
import type { Channel } from '../../../store/records/channels.ts'

/** Never taken over from the caller: keys, cookies, and what belongs to one connection. */
const ownHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
])

const PATTERN_LIMIT = 200
const patterns = new Map<string, RegExp | null>()

/** The pattern of a `re:` name, compiled once; one that is too long or broken matches nothing. */
function patternOf(source: string): RegExp | null {
  let pattern = patterns.get(source)
  if (pattern === undefined) {
    try {
      pattern = source.length <= PATTERN_LIMIT ? new RegExp(source, 'i') : null
    } catch {
      pattern = null
    }
    patterns.set(source, pattern)
  }
  return pattern
}

function passThrough(
  headers: Record<string, string>,
  caller: IncomingHttpHeaders,
  matches: (name: string) => boolean,
): void {
  for (const [name, value] of Object.entries(caller)) {
    if (typeof value === 'string' && !ownHeaders.has(name) && matches(name)) headers[name] = value
  }
}

/**
 * Applies a channel's header override (management-api §13.6) to `headers`: `{api_key}` stands for the
 * channel key and `{client_header:Name}` for the caller's header; the names `*` and `re:<pattern>`
 * pass the caller's matching headers on. A value that comes out empty takes the header away.
 */
export function overrideHeaders(
  headers: Record<string, string>,
  channel: Channel,
  key: string,
  caller: IncomingHttpHeaders,
): void {
  for (const rawName in channel.headerOverride) {
    const template = channel.headerOverride[rawName] ?? ''
    const name = rawName.toLowerCase()
    if (name === '*') {
      passThrough(headers, caller, () => true)
      continue
    }
    if (name.startsWith('re:')) {
      const pattern = patternOf(rawName.slice(3))
      if (pattern) passThrough(headers, caller, (one) => pattern.test(one))
      continue
    }
    const value = template
      .replaceAll('{api_key}', key)
      .replaceAll(/\{client_header:([^}]+)\}/g, (_, wanted: string) => {
        const sent = ownHeaders.has(wanted.toLowerCase()) ? undefined : caller[wanted.toLowerCase()]
        return typeof sent === 'string' ? sent : ''
      })
    if (value === '') delete headers[name]
    else headers[name] = value
  }
}
