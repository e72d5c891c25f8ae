import type { WireFormat } from '../../main/convert/exchange.ts'

/** A vendor's answer, whole and as a stream, with the usage that it reports. */
export interface VendorAnswer {
  text: string
  input: number
  output: number
  /** The answer as one JSON text. */
  whole: string
  /** The same as events, each with its blank line; the last one is the format's terminal one. */
  events: readonly string[]
  /** Has the vendor named the tokens of the prompt by its first event? */
  tellsInputFirst: boolean
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, fields: object): string =>
  `event: ${type}\n${data({ type, ...fields })}`

/** Words of several bytes a letter, so that a cut can fall inside one. */
const words = ['Grüße ', 'aus ', '世界 ', 'и ', '🌍 ', 'ende']

type Parts = Pick<VendorAnswer, 'text' | 'input' | 'output'>
type Made = Pick<VendorAnswer, 'whole' | 'events' | 'tellsInputFirst'>

function chat({ text, input, output }: Parts, model: string): Made {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
  }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    data({
      ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model },
      choices: [{ index: 0, delta, finish_reason }],
    })
  return {
    tellsInputFirst: false,
    whole: JSON.stringify({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage,
    }),
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...words.map((content) => chunk({ content })),
      chunk({}, 'stop'),
      data({
        ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model },
        ...{ choices: [], usage },
      }),
      'data: [DONE]\n\n',
    ],
  }
}

function messages({ text, input, output }: Parts, model: string): Made {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null }
  return {
    tellsInputFirst: true,
    whole: JSON.stringify({
      ...message,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: input, output_tokens: output },
    }),
    events: [
      named('message_start', {
        message: {
          ...message,
          content: [],
          stop_reason: null,
          usage: { input_tokens: input, output_tokens: 1 },
        },
      }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...words.map((text) =>
        named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      named('content_block_stop', { index: 0 }),
      named('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: output },
      }),
      named('message_stop', {}),
    ],
  }
}

function generateContent({ text, input, output }: Parts, modelVersion: string): Made {
  const usage = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  }
  const item = (text: string, usageMetadata: object, finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
    usageMetadata,
    modelVersion,
    responseId: 'r1',
  })
  const early = { promptTokenCount: input, totalTokenCount: input }
  return {
    tellsInputFirst: true,
    whole: JSON.stringify(item(text, usage, 'STOP')),
    events: [
      ...words.slice(0, -1).map((word) => data(item(word, early))),
      data(item(words.at(-1) as string, usage, 'STOP')),
    ],
  }
}

function responses({ text, input, output }: Parts, model: string): Made {
  const response = { id: 'resp_1', object: 'response', created_at: 1, model, error: null }
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  const item = { type: 'message', id: 'msg_1', role: 'assistant' }
  const whole = { ...item, status: 'completed', content: [part] }
  const completed = { ...response, status: 'completed', output: [whole], usage }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const opened = { response: { ...response, status: 'in_progress', output: [] } }
  const list: [string, object][] = [
    ['response.created', opened],
    ['response.in_progress', opened],
    [
      'response.output_item.added',
      { output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    ],
    ['response.content_part.added', { ...place, part: { ...part, text: '' } }],
    ...words.map((delta): [string, object] => [
      'response.output_text.delta',
      { ...place, delta, logprobs: [] },
    ]),
    ['response.output_text.done', { ...place, text, logprobs: [] }],
    ['response.content_part.done', { ...place, part }],
    ['response.output_item.done', { output_index: 0, item: whole }],
    ['response.completed', { response: completed }],
  ]
  return {
    tellsInputFirst: false,
    whole: JSON.stringify(completed),
    events: list.map(([type, fields], sequence_number) =>
      named(type, { sequence_number, ...fields }),
    ),
  }
}

const makers = { chat, messages, 'generate-content': generateContent, responses }

/** A good answer of a vendor that speaks `format` and reports `input` and `output` tokens. */
export function vendorAnswer(
  format: WireFormat,
  model: string,
  input: number,
  output: number,
  asArray = false,
): VendorAnswer {
  const parts = { text: words.join(''), input, output }
  const made = makers[format](parts, model)
  return { ...parts, ...made, events: asArray ? itemsOfArray(made.events) : made.events }
}

/** The data of events as Google streams them when nobody asks for events: items of one JSON array. */
const itemsOfArray = (events: readonly string[]): string[] =>
  events.map((event, index) => {
    const end = index === events.length - 1 ? ']' : ''
    return `${index === 0 ? '[' : ',\r\n'}${event.slice('data: '.length).trimEnd()}${end}`
  })

const claudeTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
const googleWords: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

/** The message of every error of these vendors; the client must be able to read it. */
export const sentenceOf = (status: number): string => `The vendor says ${status}.`

/** A vendor's error in its own shape (wire-formats 1.6). `details` is Google's. */
export function vendorError(format: WireFormat, status: number, details?: object[]): object {
  const message = sentenceOf(status)
  if (format === 'messages') {
    const type = claudeTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
    return { type: 'error', error: { type, message }, request_id: 'req_1' }
  }
  if (format === 'generate-content') {
    const word = googleWords[status] ?? 'UNKNOWN'
    return { error: { code: status, message, status: word, ...(details ? { details } : {}) } }
  }
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { message, type, param: null, code: `c${status}` } }
}

/** The same as an event of a stream, or as the last item of an array that has begun or not. */
export function vendorErrorEvent(
  format: WireFormat,
  status: number,
  place: 'event' | 'first-item' | 'next-item' = 'event',
): string {
  const error = vendorError(format, status)
  if (place !== 'event') return `${place === 'first-item' ? '[' : ',\r\n'}${JSON.stringify(error)}]`
  if (format === 'messages') return `event: error\n${data(error)}`
  if (format !== 'responses') return data(error)
  const { message, code } = (error as { error: { message: string; code: string } }).error
  return named('error', { sequence_number: 99, code, message, param: null })
}
