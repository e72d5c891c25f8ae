import { withoutUrlKey } from '../../inspect/export/plain-call.ts'
import type { CallVerb } from '../../relay/call/call.ts'

/** Path and query that a replay is made at. */
export interface ReplayedPath {
  path: string
  query: string
  verb: CallVerb
  /** The model that the path names; null where the body does, and then the body asks for a stream too. */
  model: string | null
  /** The path asks for a stream. */
  streams: boolean
  /** A stream comes as one JSON array. */
  asArray: boolean
}

interface PathParts {
  before: string
  model: string
  verb: string
}

/** Gemini's paths name model and verb. */
const OF_MODEL = /^(?<before>.*\/models\/)(?<model>.+):(?<verb>[A-Za-z]+)$/
const COUNTS = /(?:\/count_tokens|\/input_tokens|:countTokens)$/
const GENERATE = 'generateContent'
const STREAM = 'streamGenerateContent'

/** Model ids may hold slashes, which stay as they are. */
const inPath = (model: string): string => model.split('/').map(encodeURIComponent).join('/')

/** The original's URL for another model, or another way to stream; what is undefined stays. */
export function replayedPath(
  url: string,
  { model, stream }: { model: string | undefined; stream: boolean | undefined },
): ReplayedPath {
  const [path = '', query = ''] = withoutUrlKey(url).split(/\?(.*)/s)
  const verb = COUNTS.test(path) ? 'count-tokens' : 'generate'
  const parts = OF_MODEL.exec(path)?.groups as PathParts | undefined
  if (!parts) return { path, query, verb, model: null, streams: false, asArray: false }
  const didStream = parts.verb === STREAM
  const canStream = didStream || parts.verb === GENERATE
  const streams = canStream && (stream ?? didStream)
  const asked = new URLSearchParams(query)
  // A call that was whole said nothing of how it wants a stream: as events, as all clients do.
  if (streams && !didStream) asked.set('alt', 'sse')
  const name = model ?? decodeURIComponent(parts.model)
  const does = canStream ? (streams ? STREAM : GENERATE) : parts.verb
  return {
    path: `${parts.before}${inPath(name)}:${does}`,
    query: asked.toString(),
    verb,
    model: name,
    streams,
    asArray: streams && asked.get('alt') !== 'sse',
  }
}
