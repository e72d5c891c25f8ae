import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../../base/errors.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { isTimeOut, TimedScript } from './timed-script.ts'

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
/** Names of clients' headers that are remembered for one pattern: clients can make up any. */
const MOST_NAMES = 200
/** Characters of such a name. */
const LONGEST_NAME = 100

const matching = new TimedScript(`(() => {
  const pattern = new RegExp(source, 'i')
  return names.split(' ').filter((name) => pattern.test(name)).join(' ')
})()`)

/** The names, of those given, that a pattern matches; one that is broken matches none. */
function matchNames(source: string, names: readonly string[]): Set<string> {
  try {
    return new Set(matching.run({ source, names: names.join(' ') }).split(' '))
  } catch (cause) {
    if (!isTimeOut(cause)) return new Set()
    // As with `param_override`: the names are the caller's, and the pattern is the owner's and not shown.
    throw new GatewayError('invalid_request', {
      message:
        "The names of this call's headers cannot be compared with its channel's header override: that takes too long. Send shorter names.",
      reason: { code: 'header_names_unmatchable' },
      cause,
    })
  }
}

/** By pattern, which names it matches. Clients send the same ones call after call, so that few are looked at twice. */
const verdicts = new Map<string, Map<string, boolean>>()

function verdictsOf(source: string): Map<string, boolean> {
  let known = verdicts.get(source)
  if (!known) {
    known = new Map()
    verdicts.set(source, known)
  }
  return known
}

/** Tells for each name whether the pattern of a `re:` name matches it; one that is too long matches nothing. */
function matcherOf(source: string, caller: IncomingHttpHeaders): (name: string) => boolean {
  if (source.length > PATTERN_LIMIT) return () => false
  const known = verdictsOf(source)
  const unknown = Object.keys(caller).filter((name) => !ownHeaders.has(name) && !known.has(name))
  if (unknown.length === 0) return (name) => known.get(name) === true
  const matched = matchNames(source, unknown)
  for (const name of unknown) {
    if (known.size < MOST_NAMES && name.length <= LONGEST_NAME) known.set(name, matched.has(name))
  }
  return (name) => known.get(name) ?? matched.has(name)
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
 * pass the caller's matching headers on. A value that comes out empty takes the header away. Throws
 * `invalid_request` for names on which a pattern takes too long.
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
      passThrough(headers, caller, matcherOf(rawName.slice(3), caller))
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
