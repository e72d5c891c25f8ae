// Bodies and answers of some 20 MiB, of the kinds that are expensive to look at.
const MEBIBYTE = 1024 * 1024

const repeated = (text, size) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const base64 = (size) =>
  Buffer.alloc(
    Math.ceil((size * 3) / 4),
    Uint8Array.from({ length: 997 }, (_, at) => at * 131),
  ).toString('base64')

function nested(depth) {
  let schema = { type: 'string', description: 'A leaf of the tree of parameters.' }
  for (let level = 0; level < depth; level++) {
    schema = {
      type: 'object',
      properties: {
        [`field_${level}`]: schema,
        other: { type: 'integer', description: 'A number.' },
      },
      required: ['other'],
    }
  }
  return schema
}

const words = 'The quick brown fox jumps over the lazy dog, and then it goes home to sleep. '
/** Text in which hardly a character stands for itself. */
const escapes = 'line\n"quoted"\t\\path\\to\\file\u0001 end\r\n'

/** By name: the body of a Chat call without its model. */
export const requests = {
  'one image': (size) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(size)}` } },
        ],
      },
    ],
  }),
  'many images': (size) => ({
    messages: Array.from({ length: 100 }, () => ({
      role: 'user',
      content: [
        { type: 'text', text: 'And this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(size / 100)}` } },
      ],
    })),
  }),
  'small messages': (size) => ({
    messages: Array.from({ length: 40_000 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: repeated(words, size / 40_000 - 40),
    })),
  }),
  'one long text': (size) => ({ messages: [{ role: 'user', content: repeated(words, size) }] }),
  'tool schemas': (size) => {
    const schema = nested(100)
    const count = Math.floor(size / JSON.stringify(schema).length)
    return {
      messages: [{ role: 'user', content: 'Hi' }],
      tools: Array.from({ length: count }, (_, index) => ({
        type: 'function',
        function: { name: `tool_${index}`, description: 'Does it.', parameters: schema },
      })),
    }
  },
  numbers: (size) => ({
    messages: [{ role: 'user', content: 'Hi' }],
    metadata: {
      numbers: Array.from({ length: size / 6 }, (_, index) => 10_000 + (index % 89_999)),
    },
  }),
  escapes: (size) => ({ messages: [{ role: 'user', content: repeated(escapes, size * 0.7) }] }),
  'four-byte characters': (size) => ({
    messages: [{ role: 'user', content: repeated('\u{1F600}', size / 2) }],
  }),
}

/** A Chat body in the words of Anthropic's format. */
export function asMessages({ messages, tools, ...rest }) {
  return {
    ...rest,
    max_tokens: 100,
    messages: messages.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? content
          : content.map((part) =>
              part.type === 'text'
                ? part
                : {
                    type: 'image',
                    source: {
                      type: 'base64',
                      media_type: 'image/png',
                      data: part.image_url.url.slice('data:image/png;base64,'.length),
                    },
                  },
            ),
    })),
    ...(tools
      ? {
          tools: tools.map(({ function: { parameters, ...tool } }) => ({
            ...tool,
            input_schema: parameters,
          })),
        }
      : {}),
  }
}

const json = (value) => ({ type: 'application/json', body: Buffer.from(JSON.stringify(value)) })
const events = (data) => ({
  type: 'text/event-stream',
  body: Buffer.from(
    data
      .map(
        (one) =>
          `${one.event ? `event: ${one.event}\n` : ''}data: ${one.data ?? JSON.stringify(one)}\n\n`,
      )
      .join(''),
  ),
})
const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const chunk = (delta, more = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
})
const claudeEvent = (type, fields) => ({ event: type, data: JSON.stringify({ type, ...fields }) })

const chatAnswer = (content) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
})
const claudeStart = claudeEvent('message_start', {
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
})
const claudeEnd = [
  claudeEvent('content_block_stop', { index: 0 }),
  claudeEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }),
  claudeEvent('message_stop', {}),
]
const delta = (text) =>
  claudeEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })
const claudeText = [
  claudeStart,
  claudeEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
]

/** The vendor's answers, by the model's name and the call's format. */
export const answers = {
  small: {
    chat: json(chatAnswer('Fine.')),
    messages: json({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Fine.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
    responses: json({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Fine.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    }),
    'generate-content': json({
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Fine.' }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    }),
    embeddings: json({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
      model: 'm',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  },
  whole: {
    chat: json(chatAnswer(repeated(words, 20 * MEBIBYTE))),
    messages: json({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: repeated(words, 20 * MEBIBYTE) }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
    embeddings: json({
      object: 'list',
      data: Array.from({ length: 700 }, (_, index) => ({
        object: 'embedding',
        index,
        embedding: Array.from({ length: 1536 }, (_one, at) => Math.sin(index * 1536 + at)),
      })),
      model: 'm',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  },
  'small events': {
    chat: events([
      ...Array.from({ length: 100_000 }, () => chunk({ content: 'some words ' })),
      { ...chunk({}), usage },
      { data: '[DONE]' },
    ]),
    messages: events([
      ...claudeText,
      ...Array.from({ length: 150_000 }, () => delta('some words ')),
      ...claudeEnd,
    ]),
  },
  'one event': {
    chat: events([
      chunk({ content: repeated(words, 20 * MEBIBYTE) }),
      { ...chunk({}), usage },
      { data: '[DONE]' },
    ]),
    messages: events([...claudeText, delta(repeated(words, 20 * MEBIBYTE)), ...claudeEnd]),
  },
}
