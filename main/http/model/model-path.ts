import type { CallFormat } from '../../convert/call-format.ts'
import { codecOf, formatAtPath } from '../../convert/codecs.ts'
import type { CallVerb } from '../../relay/call/call.ts'

/** Meaning of a path on the model side. */
export type ModelPath =
  | {
      kind: 'call'
      format: CallFormat
      verb: CallVerb
      /** The model in the path, for formats that name it there. */
      model: string | null
      /** The verb itself asks for a stream. */
      streams: boolean
    }
  | { kind: 'model-list'; model: string | null; isGemini: boolean }
  | { kind: 'token-quota'; question: 'subscription' | 'usage' | 'token' | 'log' }
  /** Begins with an upgrade to a WebSocket; a plain GET is told so. */
  | { kind: 'socket'; format: 'realtime' }

const call = (format: CallFormat, verb: CallVerb = 'generate'): ModelPath => ({
  kind: 'call',
  format,
  verb,
  model: null,
  streams: false,
})

const fixed = {
  '/v1/chat/completions': call('chat'),
  '/v1/completions': call('completions'),
  '/v1/responses': call('responses'),
  '/v1/responses/input_tokens': call('responses', 'count-tokens'),
  '/v1/responses/compact': call('compact'),
  '/v1/messages': call('messages'),
  '/v1/messages/count_tokens': call('messages', 'count-tokens'),
  '/v1/embeddings': call('embeddings'),
  '/v1/images/generations': call('images'),
  '/v1/images/edits': call('image-edits'),
  '/v1/images/variations': call('image-variations'),
  '/v1/audio/transcriptions': call('transcriptions'),
  '/v1/audio/translations': call('translations'),
  '/v1/audio/speech': call('speech'),
  '/v1/rerank': call('rerank'),
  '/rerank': call('rerank'),
  '/v2/rerank': call('cohere-rerank'),
  '/v1/realtime': { kind: 'socket', format: 'realtime' },
  '/v1/dashboard/billing/subscription': { kind: 'token-quota', question: 'subscription' },
  '/v1/dashboard/billing/usage': { kind: 'token-quota', question: 'usage' },
  '/dashboard/billing/subscription': { kind: 'token-quota', question: 'subscription' },
  '/dashboard/billing/usage': { kind: 'token-quota', question: 'usage' },
  '/api/usage/token': { kind: 'token-quota', question: 'token' },
  '/api/log/token': { kind: 'token-quota', question: 'log' },
  '/v1/models': { kind: 'model-list', model: null, isGemini: false },
  '/v1beta/models': { kind: 'model-list', model: null, isGemini: true },
  '/v1beta/openai/models': { kind: 'model-list', model: null, isGemini: false },
} as const satisfies Record<string, ModelPath>

/** Paths of the model side that name no model. */
export type FixedPath = keyof typeof fixed

const byPath: Readonly<Record<string, ModelPath>> = fixed

type GeminiVerb = Pick<Extract<ModelPath, { kind: 'call' }>, 'format' | 'verb' | 'streams'>

const geminiVerb = (format: CallFormat, verb: CallVerb = 'generate', streams = false) => ({
  format,
  verb,
  streams,
})

const verbs: Readonly<Record<string, GeminiVerb>> = {
  generateContent: geminiVerb('generate-content'),
  streamGenerateContent: geminiVerb('generate-content', 'generate', true),
  countTokens: geminiVerb('generate-content', 'count-tokens'),
  embedContent: geminiVerb('embed-content'),
  batchEmbedContents: geminiVerb('batch-embed-contents'),
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * Meaning of a path (without query), or null where it is none of ours. Model ids hold slashes and
 * colons, plain or percent-encoded, so a Gemini path is split at its last colon and decoded once.
 */
export function matchModelPath(path: string): ModelPath | null {
  const found = byPath[path]
  if (found) return found
  if (path.length > 1 && path.endsWith('/')) return matchModelPath(path.slice(0, -1))
  for (const prefix of ['/v1beta/models/', '/v1/models/', '/v1beta/openai/models/']) {
    if (!path.startsWith(prefix)) continue
    const rest = path.slice(prefix.length)
    const colon = rest.lastIndexOf(':')
    const verb = colon < 0 ? undefined : verbs[rest.slice(colon + 1)]
    const model = decode(verb ? rest.slice(0, colon) : rest)
    if (!model) return null
    if (verb) return { kind: 'call', model, ...verb }
    return { kind: 'model-list', model, isGemini: prefix === '/v1beta/models/' }
  }
  const format = formatAtPath(path)
  return format !== null && codecOf(format).path === path ? call(format) : null
}

/** Meaning of a WebSocket's path; null where it is none of ours. */
export function socketOf(path: ModelPath | null): 'realtime' | 'responses' | null {
  if (path?.kind === 'socket') return path.format
  const isResponses =
    path?.kind === 'call' && path.format === 'responses' && path.verb === 'generate'
  return isResponses ? 'responses' : null
}
