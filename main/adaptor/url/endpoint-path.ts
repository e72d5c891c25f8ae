import { type CallFormat, wireFormats } from '../../convert/call-format.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { isGeminiFormat } from './gemini-path.ts'

/** Paths behind the root of an API that is shaped like OpenAI's. */
const paths: Readonly<Partial<Record<CallFormat, string>>> = {
  chat: '/chat/completions',
  completions: '/completions',
  messages: '/messages',
  responses: '/responses',
  compact: '/responses/compact',
  embeddings: '/embeddings',
  'jina-embed': '/embeddings',
  images: '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  speech: '/audio/speech',
  rerank: '/rerank',
  'voyage-rerank': '/rerank',
}

/** Paths of endpoints that are not under that root, from the host on. */
const pathsBeside: Readonly<Partial<Record<CallFormat, string>>> = {
  // https://docs.cohere.com/reference/embed and …/rerank; vLLM serves the latter too.
  'cohere-embed': '/v2/embed',
  'cohere-rerank': '/v2/rerank',
  // https://docs.ollama.com/api/embed
  'ollama-embed': '/api/embed',
  // https://huggingface.github.io/text-embeddings-inference/
  'tei-rerank': '/rerank',
}

/** Calls that count the tokens of their input. */
const countPaths: Readonly<Partial<Record<CallFormat, string>>> = {
  messages: '/messages/count_tokens',
  responses: '/responses/input_tokens',
}

/** Where an endpoint is. */
interface EndpointPath {
  /** Starts with a slash. */
  path: string
  /** Is it beside the API's root (`/v1`) rather than under it? */
  beside: boolean
}

/**
 * Where an API that is shaped like OpenAI's serves a format: https://platform.openai.com/docs/api-reference.
 * Null for a call that has no path there, or one that holds the model's name.
 */
export function endpointPath(
  format: CallFormat,
  verb: 'generate' | 'count-tokens',
): EndpointPath | null {
  if (verb === 'count-tokens') return under(countPaths[format])
  const beside = pathsBeside[format]
  return beside === undefined
    ? under(paths[format] ?? ownPath(format))
    : { path: beside, beside: true }
}

/** A wire format that is not listed has a path of its own name; Gemini's hold the model's. */
const ownPath = (format: CallFormat): string | undefined =>
  isGeminiFormat(format) || !wireFormats.has(format as WireFormat) ? undefined : `/${format}`

const under = (path: string | undefined): EndpointPath | null =>
  path === undefined ? null : { path, beside: false }

/** Formats whose path is another's as well. */
const samePath = { 'tei-rerank': undefined, 'voyage-rerank': undefined }

/** Formats by the end of their path; the longer end is looked for first. */
const byEnd = Object.entries({ ...paths, ...pathsBeside, ...samePath })
  .filter((row): row is [CallFormat, string] => row[1] !== undefined && row[0] !== 'jina-embed')
  .sort(([, one], [, other]) => other.length - one.length)

const googleVerbs: Readonly<Record<string, CallFormat>> = {
  generateContent: 'generate-content',
  streamGenerateContent: 'generate-content',
  embedContent: 'embed-content',
  batchEmbedContents: 'batch-embed-contents',
}

/** The format that a whole URL is for, as its path (without a slash at the end) tells; `chat` where none. */
export function formatOfPath(path: string): CallFormat {
  const verb = /:(\w+)$/.exec(path)?.[1]
  const google = verb === undefined ? undefined : googleVerbs[verb]
  const known = google ?? byEnd.find(([, end]) => path.endsWith(end))?.[0]
  return known ?? [...wireFormats].find((format) => path.endsWith(`/${format}`)) ?? 'chat'
}
