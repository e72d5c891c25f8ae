import { promises as timers } from 'node:timers'
import { randomText } from '../base/ids.ts'
import type { WireFormat } from '../convert/exchange.ts'
import type { Adaptor, EndpointType, LocalAnswer, LocalRequest } from './adaptor.ts'
import { chat } from './echo/chat.ts'
import type { EchoFormat } from './echo/echo-format.ts'
import { replyTo } from './echo/echo-reply.ts'
import { generateContent } from './echo/generate-content.ts'
import { messages } from './echo/messages.ts'
import { responses } from './echo/responses.ts'
import { chosenEndpoints } from './endpoint-types.ts'

const MODELS = ['echo', 'echo-mini'] as const

const ENDPOINTS: readonly EndpointType[] = ['openai', 'anthropic', 'gemini', 'openai-response']

const formats: Record<WireFormat, EchoFormat> = {
  chat,
  messages,
  'generate-content': generateContent,
  responses,
}

/** Between two pieces of a stream, in milliseconds: to be seen as a stream, and not waited for. */
const PACE = 4

async function* paced(parts: Iterable<string>, signal: AbortSignal): AsyncGenerator<Buffer> {
  let isFirst = true
  for (const part of parts) {
    if (!isFirst) await timers.setTimeout(PACE, undefined, { signal })
    signal.throwIfAborted()
    isFirst = false
    yield Buffer.from(part)
  }
}

function answerOf(request: LocalRequest): {
  status: number
  parts: Iterable<string>
  type?: string
} {
  const { body, stream, verb, model, altSse } = request
  const format = formats[request.format]
  const refuse = (message: string, field: string) => ({
    status: 400,
    parts: [JSON.stringify(format.refuse(message, field))],
  })
  const turn = format.read(body)
  if (typeof turn === 'string') return refuse(`“${turn}” must be a list that is not empty.`, turn)
  if (verb === 'count-tokens') {
    const count = format.count(turn.inputTokens)
    if (count === null) return refuse('This format does not count tokens.', 'model')
    return { status: 200, parts: [JSON.stringify(count)] }
  }
  const reply = replyTo(turn)
  const writing = { model, body, altSse }
  if (!stream) return { status: 200, parts: [JSON.stringify(format.write(reply, writing))] }
  const isArray = request.format === 'generate-content' && !altSse
  return {
    status: 200,
    parts: format.stream(reply, writing),
    ...(isArray ? {} : { type: 'text/event-stream; charset=utf-8' }),
  }
}

function answer(request: LocalRequest): LocalAnswer {
  const { status, parts, type } = answerOf(request)
  return {
    status,
    headers: {
      'content-type': type ?? 'application/json; charset=utf-8',
      [formats[request.format].idHeader]: `req_${randomText(24)}`,
    },
    chunks: paced(parts, request.signal),
  }
}

/**
 * Type 900: the upstream inside. It says back what the user said last, in all four chat formats, calls
 * a tool when one is offered and asked for, and never touches the network.
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
  local: { models: MODELS, answer },
}
