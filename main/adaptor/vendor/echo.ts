import { promises as timers } from 'node:timers'
import { randomText } from '../../base/ids.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import type { Adaptor, EndpointType, LocalAnswer, LocalRequest } from '../adaptor.ts'
import { chat } from '../echo/chat.ts'
import { compact } from '../echo/compact.ts'
import { completions } from '../echo/completions.ts'
import {
  type EchoAnswer,
  type EchoEndpoint,
  EchoRefusal,
  jsonAnswer,
} from '../echo/echo-endpoint.ts'
import { batchEmbedContents, embedContent } from '../echo/embed-content.ts'
import { embeddings } from '../echo/embeddings.ts'
import { generateContent } from '../echo/generate-content.ts'
import { images } from '../echo/media/images.ts'
import { speech } from '../echo/media/speech.ts'
import { transcriptions, translations } from '../echo/media/transcriptions.ts'
import { messages } from '../echo/messages.ts'
import { openEchoSession } from '../echo/realtime/realtime.ts'
import { conversation } from '../echo/reply/conversation.ts'
import { cohereRerank, rerank } from '../echo/rerank.ts'
import { responses } from '../echo/responses.ts'
import { chosenEndpoints } from '../url/endpoint-types.ts'

const MODELS = ['echo', 'echo-mini'] as const

const ENDPOINTS: readonly EndpointType[] = [
  'openai',
  'anthropic',
  'gemini',
  'openai-response',
  'embeddings',
  'image-generation',
  'jina-rerank',
  'audio',
  'realtime',
]

const endpoints: Partial<Record<CallFormat, EchoEndpoint>> = {
  chat: conversation(chat),
  messages: conversation(messages),
  'generate-content': conversation(generateContent),
  responses: conversation(responses),
  completions,
  compact,
  embeddings,
  'embed-content': embedContent,
  'batch-embed-contents': batchEmbedContents,
  images,
  'image-edits': images,
  'image-variations': images,
  speech,
  transcriptions,
  translations,
  rerank,
  'cohere-rerank': cohereRerank,
}

/** Between two pieces of a stream, in milliseconds: to be seen as a stream, and not waited for. */
const PACE = 4

async function* paced(
  parts: Iterable<string | Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let isFirst = true
  for (const part of parts) {
    if (!isFirst) await timers.setTimeout(PACE, undefined, { signal })
    signal.throwIfAborted()
    isFirst = false
    yield Buffer.isBuffer(part) ? part : Buffer.from(part)
  }
}

function answerOf(endpoint: EchoEndpoint, request: LocalRequest): EchoAnswer & { status: number } {
  try {
    return { status: 200, ...endpoint.answer(request) }
  } catch (error) {
    if (!(error instanceof EchoRefusal)) throw error
    return { status: 400, ...jsonAnswer(endpoint.refuse(error.message, error.field)) }
  }
}

function answer(request: LocalRequest): LocalAnswer {
  const endpoint = endpoints[request.format]
  if (!endpoint) throw new Error(`Echo is not asked in ${request.format}`)
  const { status, contentType, parts } = answerOf(endpoint, request)
  return {
    status,
    headers: {
      'content-type': contentType,
      [endpoint.idHeader ?? 'x-request-id']: `req_${randomText(24)}`,
    },
    chunks: paced(parts, request.signal),
  }
}

/**
 * Type 900: the upstream inside. It says back what the user said last, in all four chat formats, calls
 * a tool when one is offered and asked for, serves every other call with something of the right kind (a
 * pattern for a picture, a melody for speech), and never touches the network.
 */
export const echo: Adaptor = {
  type: 900,
  name: 'Echo',
  defaultBaseUrl: '',
  endpointTypes: (channel) => chosenEndpoints(channel) ?? ENDPOINTS,
  // Not a place to send anything: what a preview shows.
  target: (_channel, call) => ({ url: `echo:${call.format}`, headers: {} }),
  modelList: () => ({ url: 'echo:models', headers: {}, parse: () => ({ models: [...MODELS] }) }),
  passesHeader: () => false,
  takesStreamOptions: () => true,
  local: { models: MODELS, answer, openSession: openEchoSession },
}
