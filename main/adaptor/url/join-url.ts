import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'

/** A base URL as it was meant: no slash, query or endpoint at its end. */
interface Base {
  origin: string
  /** Path segments. */
  segments: readonly string[]
  /** The endpoint's path was pasted too, so that nothing may be put between base and endpoint. */
  exact: boolean
}

/** `v1`, `v4`, `v1beta`, `v1p1beta2`, `v2.1`. */
const VERSION = /^v\d+(?:\.\d+)?(?:(?:p\d+)?(?:alpha|beta|preview)\d*)?$/i

const ENDPOINT =
  /\/(?:(?:chat\/)?completions|responses(?:\/(?:compact|input_tokens))?|messages(?:\/count_tokens)?|embeddings|images\/(?:generations|edits|variations)|audio\/(?:speech|transcriptions|translations)|rerank|realtime)$/i

/** A list of models ends a pasted path only behind a version: elsewhere `models` may be a folder. */
const MODELS = /(\/v\d[^/]*)\/models(?:\/.*)?$/i

/** Is it a segment of a path that names a version of an API? */
export const isVersion = (segment: string | undefined): boolean =>
  segment !== undefined && VERSION.test(segment)

const refuse = (message: string, reason: Reason): GatewayError =>
  new GatewayError('channel_misconfigured', { message, field: 'base_url', reason })

/** The URL a person meant; `https://` (for this machine `http://`) may be left out. */
export function parseBaseUrl(baseUrl: string): URL {
  const typed = baseUrl.trim()
  if (typed === '') throw refuse('This channel needs a base URL.', { code: 'base_url_missing' })
  const isLocal = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(typed)
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(typed)
    ? typed
    : `${isLocal ? 'http' : 'https'}://${typed}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.hostname === '')
    throw refuse(`“${typed}” is not a base URL.`, { code: 'base_url_none', typed })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refuse(`The base URL “${typed}” must start with http:// or https://.`, {
      code: 'base_url_scheme',
      typed,
    })
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('A base URL cannot carry a user name or password: use the channel key.', {
      code: 'base_url_credentials',
    })
  }
  return url
}

function readBase(baseUrl: string): Base {
  const url = parseBaseUrl(baseUrl)
  const path = url.pathname.replace(/\/+/g, '/').replace(/\/$/, '')
  const root = path.replace(ENDPOINT, '').replace(MODELS, '$1')
  const segments = root.split('/').filter((segment) => segment !== '')
  return {
    origin: url.origin,
    segments: segments.filter(
      (segment, index) => !(isVersion(segment) && segment === segments[index - 1]),
    ),
    exact: root !== path,
  }
}

// A gateway has a handful of base URLs, but they are joined on every call.
const bases = new Map<string, Base>()

function baseOf(baseUrl: string): Base {
  let base = bases.get(baseUrl)
  if (base === undefined) {
    base = readBase(baseUrl)
    if (bases.size >= 1000) bases.clear()
    bases.set(baseUrl, base)
  }
  return base
}

/** Was the whole URL of an endpoint given, rather than a base? */
export const isWholeEndpoint = (baseUrl: string): boolean => baseOf(baseUrl).exact

/** How many of the last segments of `path` are the first of `root`. */
function overlap(path: readonly string[], root: readonly string[]): number {
  for (let count = Math.min(path.length, root.length); count > 0; count--) {
    const tail = path.slice(-count)
    if (tail.every((segment, index) => segment === root[index])) return count
  }
  return 0
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

const prefix = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment}`).join('')

/**
 * The one rule for base URLs. `endpoint` starts with a slash and has no version; `root` is the path the
 * vendor serves its API under. The base may be the host, the host with all or some of the root, with
 * another version (which then wins), or the whole endpoint as pasted from the vendor's page:
 * `https://host`, `https://host/`, `https://host/v1/` and `https://host/v1/chat/completions` are the
 * same, and `https://host/api/paas/v4` keeps its `v4`. A query in the base is dropped.
 * Throws GatewayError `channel_misconfigured` when the base is no http(s) URL.
 */
export function joinUrl(baseUrl: string, endpoint: string, root = '/v1'): string {
  const { origin, segments, exact } = baseOf(baseUrl)
  if (exact) return origin + prefix(segments) + endpoint

  const rootSegments = segmentsOf(root)
  const shared = overlap(segments, rootSegments)
  const last = segments.at(-1)
  const isVersioned =
    isVersion(last) ||
    // `…/v1/openai` and `…/v1beta/openai`: several vendors put the layer's name behind the version.
    (last === 'openai' && segments.some(isVersion))
  const path = shared === 0 && isVersioned ? segments : [...segments, ...rootSegments.slice(shared)]
  return origin + prefix(path) + endpoint
}

/**
 * An endpoint that the host serves beside the API that `root` is the path of: `/v2/rerank`, `/api/embed`.
 * Leaves out the part of the root that the base has, and a version at its end: the endpoint has its own.
 * Throws as joinUrl does.
 */
export function joinBeside(baseUrl: string, endpoint: string, root = '/v1'): string {
  const { origin, segments } = baseOf(baseUrl)
  const shared = overlap(segments, segmentsOf(root))
  let kept = shared > 0 ? segments.slice(0, -shared) : segments
  if (shared === 0 && isVersion(kept.at(-1))) kept = kept.slice(0, -1)
  const own = segmentsOf(endpoint)
  return origin + prefix([...kept.slice(0, kept.length - overlap(kept, own)), ...own])
}
