import type { WireFormat } from '../convert/exchange.ts'
import type { CallVerb } from '../relay/call.ts'

/** What a path on the model side asks for. */
export type ModelPath =
  | {
      kind: 'call'
      format: WireFormat
      verb: CallVerb
      /** The model in the path, for formats that name it there. */
      model: string | null
      /** The verb itself asks for a stream. */
      streams: boolean
    }
  | { kind: 'model-list'; model: string | null; isGemini: boolean }

const call = (format: WireFormat, verb: CallVerb = 'generate'): ModelPath => ({
  kind: 'call',
  format,
  verb,
  model: null,
  streams: false,
})

const fixed: Readonly<Record<string, ModelPath>> = {
  '/v1/chat/completions': call('chat'),
  '/v1/responses': call('responses'),
  '/v1/messages': call('messages'),
  '/v1/messages/count_tokens': call('messages', 'count-tokens'),
  '/v1/models': { kind: 'model-list', model: null, isGemini: false },
  '/v1beta/models': { kind: 'model-list', model: null, isGemini: true },
  '/v1beta/openai/models': { kind: 'model-list', model: null, isGemini: false },
}

const verbs: Readonly<Record<string, { verb: CallVerb; streams: boolean }>> = {
  generateContent: { verb: 'generate', streams: false },
  streamGenerateContent: { verb: 'generate', streams: true },
  countTokens: { verb: 'count-tokens', streams: false },
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * What a path (without query) asks for, or null where it is none of ours. Model ids hold slashes and
 * colons, plain or percent-encoded, so a Gemini path is split at its last colon and decoded once.
 */
export function matchModelPath(path: string): ModelPath | null {
  const found = fixed[path]
  if (found) return found
  if (path.length > 1 && path.endsWith('/')) return matchModelPath(path.slice(0, -1))
  for (const prefix of ['/v1beta/models/', '/v1/models/', '/v1beta/openai/models/']) {
    if (!path.startsWith(prefix)) continue
    const rest = path.slice(prefix.length)
    const colon = rest.lastIndexOf(':')
    const verb = colon < 0 ? undefined : verbs[rest.slice(colon + 1)]
    const model = decode(verb ? rest.slice(0, colon) : rest)
    if (!model) return null
    if (verb) return { kind: 'call', format: 'generate-content', model, ...verb }
    return { kind: 'model-list', model, isGemini: prefix === '/v1beta/models/' }
  }
  return null
}
