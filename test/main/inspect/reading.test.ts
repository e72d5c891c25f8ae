import { describe, expect, test } from 'vitest'
import type { Capture } from '../../../main/capture/capture.ts'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { readConversation } from '../../../main/inspect/reading/read-conversation.ts'
import { readFixture, recordedStreams } from '../../support/recordings/fixtures.ts'

const bodyOf = (bytes: string | Buffer, size?: number) => {
  const chunk = Buffer.from(bytes as string)
  return { chunks: [chunk], times: [], size: size ?? chunk.length }
}

interface Call {
  format: string
  request: string | Buffer
  answer: string | Buffer | null
  status?: number
  size?: number
}

function read({ format, request, answer, status = 200, size }: Call) {
  const capture: Capture = {
    id: 'one',
    receivedAt: 0,
    userId: 1,
    tokenId: 1,
    format,
    model: 'm',
    client: {
      request: { at: 0, method: 'POST', url: '/', headers: [], body: bodyOf(request, size) },
      answer:
        answer === null
          ? null
          : { at: 1, status, headers: [], body: bodyOf(answer), endedAt: 2, isCut: false },
    },
    exchanges: [],
    source: 'memory',
  }
  return readConversation(capture)
}

const json = (value: unknown) => JSON.stringify(value)

const PICTURE = 'iVBORw0KGgo='

/** The same conversation in each format. */
const conversations: Readonly<Record<WireFormat, { request: unknown; answer: unknown }>> = {
  chat: {
    request: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"a":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Sunny.' },
      ],
    },
    answer: {
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Sun.' }, finish_reason: 'stop' },
      ],
    },
  },
  messages: {
    request: {
      max_tokens: 10,
      system: 'Be brief.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { a: 1 } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'Sunny.' }] },
      ],
    },
    answer: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Sun.' }],
      stop_reason: 'end_turn',
    },
  },
  responses: {
    request: {
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Weather?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` },
          ],
        },
        { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'Sunny.' },
      ],
    },
    answer: {
      object: 'response',
      status: 'completed',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sun.' }] },
      ],
    },
  },
  'generate-content': {
    request: {
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Weather?' }, { inline_data: { mime_type: 'image/png', data: PICTURE } }],
        },
        { role: 'model', parts: [{ functionCall: { name: 'weather', args: { a: 1 } } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'weather', response: { output: 'Sunny.' } } }],
        },
      ],
    },
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Sun.' }] }, finishReason: 'STOP' }],
    },
  },
}

describe('a conversation', () => {
  test.each(Object.entries(conversations))(
    'in %s reads as it was held',
    (format, { request, answer }) => {
      const { input, output, problem } = read({
        format,
        request: json(request),
        answer: json(answer),
      })
      expect(problem).toBe(null)
      // Gemini's calls have no ids: one is made that the result has as well.
      const linked = input.filter(({ id }) => id !== undefined)
      expect(linked.map(({ kind }) => kind)).toEqual(['tool-call', 'tool-result'])
      expect(linked[0]?.id).toBe(linked[1]?.id)
      if (format !== 'generate-content') expect(linked[0]?.id).toBe('c1')
      const told = input.map(({ id: _id, ...part }) => part)
      expect(told.slice(0, 4)).toEqual([
        { role: 'system', kind: 'text', text: 'Be brief.' },
        { role: 'user', kind: 'text', text: 'Weather?' },
        expect.objectContaining({
          role: 'user',
          kind: 'image',
          text: `data:image/png;base64,${PICTURE}`,
          size: 8,
        }),
        { role: 'assistant', kind: 'tool-call', name: 'weather', text: '{"a":1}' },
      ])
      expect(input[4]).toMatchObject({ kind: 'tool-result', name: 'weather' })
      expect(input[4]?.text).toContain('Sunny.')
      expect(output).toEqual([{ role: 'assistant', kind: 'text', text: 'Sun.' }])
    },
  )

  test('has reasoning apart from the answer', () => {
    const stream = recordedStreams.find(({ name }) =>
      name.endsWith('/thinking-stream.response.sse'),
    )
    const { output } = read({ format: 'messages', request: '{}', answer: stream?.bytes ?? '' })
    expect(output.map(({ kind }) => kind)).toContain('reasoning')
    expect(output.every(({ text }) => text !== '')).toBe(true)
  })

  test('large pictures are told by their size', () => {
    const data = 'AAAA'.repeat(200_000)
    const source = { type: 'base64', media_type: 'image/png', data }
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }]
    const request = json({ max_tokens: 1, messages })
    const { input } = read({ format: 'messages', request, answer: null })
    expect(input).toEqual([
      { role: 'user', kind: 'image', name: 'image/png', text: '', size: 600_000 },
    ])
  })
})

describe('what is no conversation', () => {
  test('a vendor’s refusal is read as an error', () => {
    const answer = readFixture('errors/openai-404-model.json')
    const { output } = read({ format: 'chat', request: '{}', answer, status: 404 })
    expect(output).toEqual([
      { role: 'error', kind: 'text', text: expect.stringContaining('does not exist') },
    ])
  })

  test('a session, whose request has no body, is nothing that couldn’t be read', () => {
    const { problem, reason } = read({ format: 'realtime', request: '', answer: null })
    expect({ problem, reason }).toEqual({ problem: null, reason: null })
  })

  test('a stream that was cut is read as far as it came', () => {
    const answer = 'data: {"choices":[{"index":0,"delta":{"content":"Half a"}}]}\n\ndata: {"choi'
    const { output } = read({ format: 'chat', request: '{"messages":[]}', answer })
    expect(output).toEqual([{ role: 'assistant', kind: 'text', text: 'Half a' }])
  })

  test.each([
    ['embeddings', '{"input":["one","two"]}', ['one', 'two']],
    ['images', '{"prompt":"A cat."}', ['A cat.']],
    ['rerank', '{"query":"q","documents":["a",{"text":"b"}]}', ['q', 'a', 'b']],
    ['completions', '{"prompt":"Once"}', ['Once']],
  ])('of %s the words are shown', (format, request, texts) => {
    expect(read({ format, request, answer: null }).input.map(({ text }) => text)).toEqual(texts)
  })

  test('a legacy completion’s stream is read too', () => {
    const lines = readFixture('openai-completions/text-stream.chunks.txt').toString().trim()
    const answer = lines
      .split('\n')
      .map((line) => `data: ${line}\n\n`)
      .join('')
    const { output } = read({ format: 'completions', request: '{"prompt":"Hi"}', answer })
    expect(output[0]?.text.length).toBeGreaterThan(10)
  })

  test.each([
    ['is no JSON', { request: 'oops' }, /isn’t JSON/],
    ['was cut', { request: '{"messages":[', size: 900 }, /was cut at the cap/],
    ['cannot be understood', { request: '{"messages":[{"role":"nobody"}]}' }, /messages\[0\]/],
  ])('a request that %s says so', (_name, call, problem) => {
    expect(read({ format: 'chat', answer: null, ...call }).problem).toMatch(problem)
  })
})

test('a result says that its tool failed', () => {
  const failed = { type: 'tool_result', tool_use_id: 'c1', content: 'No.', is_error: true }
  const request = JSON.stringify({
    ...{ model: 'm', max_tokens: 9 },
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: {} }],
      },
      { role: 'user', content: [failed, { ...failed, is_error: false }] },
    ],
  })
  const { input } = read({ format: 'messages', request, answer: null })
  const results = input.filter(({ kind }) => kind === 'tool-result')
  expect(results.map((result) => result.failed)).toEqual([true, undefined])
})
