import type { WireFormat } from '../../../main/convert/exchange.ts'

/** A client: each format's, and the Gemini one that asks for a JSON array (no `alt=sse`). */
export type Client = WireFormat | 'generate-content array'

export const formatOf = (client: Client): WireFormat =>
  client === 'generate-content array' ? 'generate-content' : client

/** The parts of one vendor's stream. 10 tokens in, 20 out. */
export interface SmallStream {
  begin: string
  text(text: string): string
  end: string
  error: string
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const chunk = (delta: object, finish: string | null = null) =>
  data({
    ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
const candidate = (fields: object, usage: object) =>
  data({ candidates: [{ index: 0, ...fields }], usageMetadata: usage })
const answer = { id: 'resp_1', object: 'response', model: 'm', output: [] }

export const smallStreams: Readonly<Record<WireFormat, SmallStream>> = {
  chat: {
    begin: chunk({ role: 'assistant', content: '' }),
    text: (content) => chunk({ content }),
    end: `${chunk({}, 'stop')}${data({
      id: 'c1',
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    })}data: [DONE]\n\n`,
    error: data({ error: { message: 'It broke down.', type: 'server_error', code: 'boom' } }),
  },
  messages: {
    begin:
      event('message_start', {
        message: {
          ...{ id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] },
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    text: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    end:
      event('content_block_stop', { index: 0 }) +
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } }) +
      event('message_stop', {}),
    error: event('error', { error: { type: 'api_error', message: 'It broke down.' } }),
  },
  'generate-content': {
    begin: candidate({ content: { role: 'model', parts: [] } }, { promptTokenCount: 10 }),
    text: (text) =>
      candidate({ content: { role: 'model', parts: [{ text }] } }, { promptTokenCount: 10 }),
    end: candidate(
      { finishReason: 'STOP' },
      { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
    ),
    error: data({ error: { code: 500, message: 'It broke down.', status: 'INTERNAL' } }),
  },
  responses: {
    begin:
      event('response.created', { response: { ...answer, status: 'in_progress' } }) +
      event('response.output_item.added', {
        output_index: 0,
        item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
      }),
    text: (delta) =>
      event('response.output_text.delta', { output_index: 0, content_index: 0, delta }),
    end: event('response.completed', {
      response: {
        ...answer,
        status: 'completed',
        usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
      },
    }),
    error: event('response.failed', {
      response: { ...answer, status: 'failed', error: { code: 'boom', message: 'It broke down.' } },
    }),
  },
}

/** An answer as its client reads it. */
export interface ReadStream {
  text: string
  ending: 'whole' | 'failed' | 'nothing'
  /** The words of the error event. */
  error: string
}

interface Wire {
  type?: string
  sequence_number?: number
  index?: number
  delta?: { text?: string } | string
  error?: { message: string }
  response?: { error: { message: string } }
  choices?: { delta: { content?: string } }[]
  candidates?: { content?: { parts?: { text?: string }[] }; finishReason?: string }[]
}

/** Takes what one event says. */
const readers: Readonly<Record<WireFormat, (one: Wire, read: ReadStream) => void>> = {
  chat: (one, read) => {
    for (const { delta } of one.choices ?? []) read.text += delta.content ?? ''
  },
  messages: (one, read) => {
    if (typeof one.delta === 'object') read.text += one.delta.text ?? ''
    if (one.type === 'message_stop') read.ending = 'whole'
  },
  'generate-content': (one, read) => {
    for (const { content, finishReason } of one.candidates ?? []) {
      read.text += (content?.parts ?? []).map(({ text }) => text ?? '').join('')
      if (finishReason) read.ending = 'whole'
    }
  },
  responses: (one, read) => {
    if (one.type === 'response.output_text.delta') read.text += one.delta
    if (one.type === 'response.completed') read.ending = 'whole'
    // `error` comes before it, for the SDK; Codex waits for this one.
    if (one.type === 'response.failed') {
      read.ending = 'failed'
      read.error = one.response?.error.message ?? ''
    }
  },
}

/** Reads a stream as a strict client would: throws where its order or form is wrong. */
export function readStream(client: Client, body: string): ReadStream {
  const read: ReadStream = { text: '', ending: 'nothing', error: '' }
  let sequence = 0
  for (const { name, text } of itemsOf(client, body)) {
    if (text === '[DONE]') {
      read.ending = read.ending === 'nothing' ? 'whole' : read.ending
      continue
    }
    const one = JSON.parse(text) as Wire
    if (one.type === 'ping') continue
    if (read.ending !== 'nothing') throw new Error(`Something comes after the end: ${text}`)
    if (name !== null && name !== one.type) throw new Error(`${name} is not ${one.type}`)
    if (client === 'responses' && one.sequence_number !== sequence++) {
      throw new Error(`${text} should have the number ${sequence - 1}`)
    }
    readers[formatOf(client)](one, read)
    if (client === 'responses' || !one.error) continue
    read.ending = 'failed'
    read.error = one.error.message
  }
  return read
}

/** Events, or items of the array, which has to be one whole JSON value. */
function itemsOf(client: Client, body: string): { name: string | null; text: string }[] {
  if (client === 'generate-content array') {
    return (JSON.parse(body) as unknown[]).map((item) => ({
      name: null,
      text: JSON.stringify(item),
    }))
  }
  return body.split('\n\n').flatMap((block) => {
    const lines = block.split('\n')
    const text = lines.find((line) => line.startsWith('data: '))?.slice(6)
    const name = lines.find((line) => line.startsWith('event: '))?.slice(7) ?? null
    return text === undefined ? [] : [{ name, text }]
  })
}
