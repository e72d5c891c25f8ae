import type { Sentence } from '../../base/reason.ts'
import { matchModelPath } from '../model/model-path.ts'

/** A path that is longer is nobody's mistake in a base URL. */
const LONGEST_PATH = 200

const isServed = (path: string): boolean => matchModelPath(path) !== null

/** Leading segments that base URLs have too many of. */
const MOST_SEGMENTS = 3

/** The surplus leading segments of a path, such as `/v1` in `/v1/v1/models`; null if none. */
function surplusOf(path: string): string | null {
  if (path.length > LONGEST_PATH) return null
  const segments = path.split('/').slice(1)
  for (let count = 1; count <= MOST_SEGMENTS && count < segments.length; count++) {
    if (isServed(`/${segments.slice(count).join('/')}`)) {
      return `/${segments.slice(0, count).join('/')}`
    }
  }
  return null
}

/** The endpoint that a path has twice at its end; null where none is. */
function doubledEnd(path: string): string | null {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const middle = (at + path.length) / 2
    const endpoint = path.slice(middle)
    if (path.slice(at, middle) === endpoint && isServed(path.slice(0, middle))) return endpoint
  }
  return null
}

/** Gemini's own paths end with a verb. */
const prefixOf = (path: string): string => (/:[a-z]+[A-Z]?\w*$/.test(path) ? '/v1beta' : '/v1')

interface PathHint {
  /** The path that the tool had in mind. */
  meant: string
  /** How its base URL is put right. */
  advice: Sentence
}

/** What a tool that called this unknown path was after; null where nobody knows. */
export function pathHint(path: string, ownUrl: string): PathHint | null {
  if (path.length > LONGEST_PATH) return null
  const off = (part: string, meant: string): PathHint => ({
    meant,
    advice: {
      message: `take ${part} off its base URL.`,
      reason: { code: 'base_url_without', part },
    },
  })
  const single = path.replace(/\/{2,}/g, '/')
  if (single !== path && isServed(single)) {
    const message = 'take the slash off the end of its base URL.'
    return { meant: single, advice: { message, reason: { code: 'base_url_slash' } } }
  }
  const endpoint = doubledEnd(path)
  if (endpoint !== null) return off(endpoint, path.slice(0, -endpoint.length))
  const surplus = surplusOf(path)
  if (surplus !== null) return off(surplus, path.slice(surplus.length))
  const prefix = prefixOf(path)
  if (isServed(prefix + path)) {
    const message = `add ${prefix} to the end of its base URL.`
    const reason: Sentence['reason'] = { code: 'base_url_with', part: prefix }
    return { meant: prefix + path, advice: { message, reason } }
  }
  const rest = path.replace(/^\/[^/]+/, '')
  if (rest !== '' && isServed(prefix + rest)) {
    const url = prefix === '/v1' ? ownUrl + prefix : ownUrl
    const message = `its base URL must be ${url}.`
    const reason: Sentence['reason'] = { code: 'base_url_must_be', url }
    return { meant: prefix + rest, advice: { message, reason } }
  }
  return null
}
