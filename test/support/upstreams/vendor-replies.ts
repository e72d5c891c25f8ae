import type { RecordedRequest, Reply } from './scripted-upstream.ts'

const chatChunk = (delta: object, finish: string | null = null, rest: object = {}): string =>
  `data: ${JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'chat-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest,
  })}\n\n`

const messagesEvent = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const geminiItem = (text: string, finish?: string): string =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: finish, index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
  })}\r\n\r\n`

function chunksOf(url: string, words: number): string[] {
  const text = Array.from({ length: words }, (_, index) => `word${index} `)
  if (url.startsWith('/v1/chat')) {
    return [
      ...text.map((content) => chatChunk({ content })),
      chatChunk({}, 'stop'),
      `data: ${JSON.stringify({
        id: 'c1',
        object: 'chat.completion.chunk',
        choices: [],
        usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
      })}\n\n`,
      'data: [DONE]\n\n',
    ]
  }
  if (url.startsWith('/v1/messages')) {
    const message = { id: 'm1', type: 'message', role: 'assistant', model: 'x', content: [] }
    return [
      messagesEvent('message_start', {
        message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } },
      }),
      messagesEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...text.map((word) =>
        messagesEvent('content_block_delta', {
          index: 0,
          delta: { type: 'text_delta', text: word },
        }),
      ),
      messagesEvent('content_block_stop', { index: 0 }),
      messagesEvent('message_delta', {
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 20 },
      }),
      messagesEvent('message_stop', {}),
    ]
  }
  return [...text.map((word) => geminiItem(word)), geminiItem('', 'STOP')]
}

function bodyOf(url: string): object {
  if (url.startsWith('/v1/chat')) {
    return {
      id: 'c1',
      object: 'chat.completion',
      created: 1,
      model: 'chat-model',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    }
  }
  if (url.startsWith('/v1/messages')) {
    return {
      ...{ id: 'm1', type: 'message', role: 'assistant', model: 'messages-model' },
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 20 },
    }
  }
  return {
    candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
  }
}

/** As `vendorReply`, but a prompt `when told` has its answer's end only after `tell`. */
export function tellableReply(): { reply(request: RecordedRequest): Reply; tell(): void } {
  let tell = () => {}
  const until = new Promise<void>((resolve) => {
    tell = resolve
  })
  return {
    reply: (request) => ({
      ...vendorReply(request),
      ...(request.body.includes('"when told"') && { until }),
    }),
    tell,
  }
}

/**
 * A vendor of the three formats that does what the prompt says: `hang` stays silent after the first
 * words of a stream, or before the head of a whole answer; `<number>` is how many words a stream has;
 * `after <milliseconds>` delays a whole answer or spreads a stream over that time. Each answer has used
 * 10 tokens in and 20 out.
 */
export function vendorReply(request: RecordedRequest): Reply {
  const body = request.body.toString()
  const { url } = request
  const hangs = body.includes('"hang')
  const after = Number(/"(?:\d+ )?after (\d+)/.exec(body)?.[1] ?? 0)
  const isStream = body.includes('"stream":true') || url.includes('streamGenerateContent')
  if (!isStream) {
    return hangs ? { ending: 'hang-before-headers' } : { body: bodyOf(url), delay: after }
  }
  const chunks = chunksOf(url, Number(/"(?:text|content)":"(\d+)/.exec(body)?.[1] ?? 3))
  if (hangs) return { chunks: chunks.slice(0, 3), ending: 'hang' }
  return { chunks, pause: after > 0 ? after / chunks.length : 5 }
}
