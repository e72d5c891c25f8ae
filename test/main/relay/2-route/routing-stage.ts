import { onTestFinished } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { RouteNote } from '../../../../main/relay/call/route-note.ts'
import type { Channel, ChannelFields } from '../../../../main/store/records/channels.ts'
import type { Settings } from '../../../../main/store/state/settings.ts'
import {
  type Pair,
  type SendOptions,
  startPair,
  type Whole,
} from '../../../support/gateway/pair.ts'
import type { RecordedRequest, Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { smallStreams } from '../../../support/upstreams/small-streams.ts'

/** The answers of a channel's vendor: `next` first, one each, then `always`, else a good one. */
interface Vendor {
  next: (Reply | Promise<Reply>)[]
  always: Reply | null
}

/** A gateway whose channels are told apart by their keys. All serve `model-a`. */
export interface Stage {
  pair: Pair
  /** The names of the channels that were asked, in order; the key where a channel has several. */
  asked: string[]
  /** Adds a channel of a format whose vendor answers the first calls with these. */
  add(name: string, fields?: Partial<ChannelFields>, ...replies: Reply[]): Channel
  /** Adds replies of a channel's, or of one key of it. */
  script(name: string, ...replies: (Reply | Promise<Reply>)[]): void
  /** Makes a channel, or a key of it, answer this from now on; null: a good answer. */
  always(name: string, reply: Reply | null): void
  call(format?: WireFormat, options?: CallOptions): Promise<Whole>
  set(settings: Partial<Settings>): void
  /** How a call found its channel, as the log keeps it. */
  routeOf(answer: Whole): RouteNote
}

export interface CallOptions extends Pick<SendOptions, 'headers' | 'signal'> {
  stream?: boolean
  model?: string
  /** Fields besides model and words. */
  more?: object
}

const types: Readonly<Record<WireFormat, number>> = {
  chat: 1,
  responses: 1,
  messages: 14,
  'generate-content': 24,
}

/** One good answer of each format: 10 tokens in, 20 out. */
export const goodAnswer: Readonly<Record<WireFormat, object>> = {
  chat: {
    id: 'c1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  },
  messages: {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 20 },
  },
  'generate-content': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'ok', annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
  },
}

export const goodStream = (format: WireFormat): Reply => ({
  chunks: [smallStreams[format].begin, smallStreams[format].text('ok'), smallStreams[format].end],
})

function formatAt(url: string): WireFormat {
  if (url.includes('enerateContent')) return 'generate-content'
  if (url.startsWith('/v1/messages')) return 'messages'
  return url.startsWith('/v1/responses') ? 'responses' : 'chat'
}

function goodReply(request: RecordedRequest): Reply {
  const format = formatAt(request.url)
  const asksStream =
    request.url.includes('stream') || (request.json() as { stream?: boolean }).stream === true
  return asksStream ? goodStream(format) : { body: goodAnswer[format] }
}

const keyOf = ({ headers }: RecordedRequest): string =>
  String(
    headers['x-api-key'] ??
      headers['x-goog-api-key'] ??
      String(headers.authorization).replace('Bearer ', ''),
  ).replace('key-of-', '')

const requestOf = (
  format: WireFormat,
  { stream = false, model = 'model-a', more }: CallOptions,
) => {
  const messages = [{ role: 'user', content: 'Hi' }]
  if (format === 'generate-content') {
    const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    return { path: `/v1beta/models/${model}:${verb}`, body: { contents, ...more } }
  }
  if (format === 'responses')
    return { path: '/v1/responses', body: { model, input: 'Hi', stream, ...more } }
  const path = format === 'chat' ? '/v1/chat/completions' : '/v1/messages'
  return { path, body: { model, messages, max_tokens: 50, stream, ...more } }
}

/** Starts a gateway without channels; it ends with the test, unless `endsWithTest` is false. */
export async function startStage(
  settings: Partial<Settings> = {},
  endsWithTest = true,
): Promise<Stage> {
  const vendors = new Map<string, Vendor>()
  const asked: string[] = []
  const vendorOf = (name: string): Vendor => {
    const vendor = vendors.get(name) ?? { next: [], always: null }
    vendors.set(name, vendor)
    return vendor
  }
  const pair = await startPair({
    empty: true,
    handler(request) {
      const name = keyOf(request)
      asked.push(name)
      const { next, always } = vendorOf(name)
      return next.shift() ?? always ?? goodReply(request)
    },
  })
  if (endsWithTest) onTestFinished(() => pair.close())
  const set = (changes: Partial<Settings>) => pair.gateway.set(changes)
  set(settings)
  const script: Stage['script'] = (name, ...replies) => void vendorOf(name).next.push(...replies)
  return {
    pair,
    asked,
    set,
    script,
    always(name, reply) {
      vendorOf(name).always = reply
    },
    add(name, fields = {}, ...replies) {
      script(name, ...replies)
      return pair.gateway.addChannel({
        name,
        key: `key-of-${name}`,
        baseUrl: pair.upstream.url,
        ...fields,
      })
    },
    call(format = 'chat', options = {}) {
      const { path, body } = requestOf(format, options)
      const headers = { 'anthropic-version': '2023-06-01', ...options.headers }
      return pair.send(path, { body, headers, ...(options.signal && { signal: options.signal }) })
    },
    routeOf: (answer) => JSON.parse(pair.rowsOf(answer)[0]?.other ?? '{}').admin_info.route,
  }
}

/** Fields of a channel that speaks a format. */
export const speaking = (format: WireFormat): Partial<ChannelFields> => ({
  type: types[format],
  ...(format === 'responses' ? { settings: { endpoint_types: ['openai-response'] } } : {}),
})

/** A refusal in the words of a vendor. */
export const refusal = (
  status: number,
  message: string,
  more: { code?: string; type?: string; headers?: Record<string, string>; details?: object[] } = {},
): Reply => {
  const { code, type, headers, details } = more
  return {
    status,
    body: {
      error: { message, ...(code && { code }), ...(type && { type }), ...(details && { details }) },
    },
    ...(headers && { headers }),
  }
}
