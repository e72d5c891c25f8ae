import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../../main/convert/exchange.ts'
import { readFixture, recordedStreams } from '../../../../support/recordings/fixtures.ts'
import {
  eventsOf,
  objectsOf,
  type Passage,
  pass,
} from '../../../../support/strict/loops/through.ts'
import type { Json } from '../../../../support/strict/requests/refusal.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../../support/upstreams/scripted-upstream.ts'

const ask = { model: 'asked-for', prompt: 'Hi', max_tokens: 500 }
const asksUsage = { ...ask, stream: true, stream_options: { include_usage: true } }
const from = (format: WireFormat, body: Json = ask): Passage => pass('completions', format, body)
const fixture = (name: string): unknown => JSON.parse(readFixture(name).toString())
const recorded = (name: string) => {
  const stream = recordedStreams.find((one) => one.name === name)
  return { format: stream?.format ?? 'chat', events: eventsOf(String(stream?.bytes ?? '')) }
}

/** A small answer of each vendor, with words before and after a thought where it has thoughts. */
const small: Record<WireFormat, unknown> = {
  chat: fixture('openai-chat/text.json'),
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [
      { type: 'thinking', thinking: 'Secret', signature: 'sig' },
      { type: 'text', text: 'One.' },
      { type: 'thinking', thinking: 'More', signature: 'sig' },
      { type: 'text', text: 'Two.' },
    ],
    stop_reason: 'max_tokens',
    usage: { input_tokens: 5, output_tokens: 20 },
  },
  'generate-content': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'SAFETY' }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 1, totalTokenCount: 5 },
    modelVersion: 'gemini',
    responseId: 'r',
  },
  responses: {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt',
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Secret' }] },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ],
    usage: {
      input_tokens: 3,
      output_tokens: 9,
      total_tokens: 12,
      output_tokens_details: { reasoning_tokens: 8 },
    },
  },
}

describe('a whole answer', () => {
  test('of a model that thinks is its text alone, and its tokens count', () => {
    expect(from('messages').whole(small.messages)).toEqual({
      id: 'cmpl-call1234567890',
      object: 'text_completion',
      created: 1_790_000_000,
      model: 'asked-for',
      choices: [{ index: 0, text: 'One.\n\nTwo.', logprobs: null, finish_reason: 'length' }],
      usage: expect.objectContaining({
        prompt_tokens: 5,
        completion_tokens: 20,
        total_tokens: 25,
      }),
    })
    expect(from('responses').whole(small.responses)).toMatchObject({
      choices: [{ text: 'Hello', finish_reason: 'stop' }],
      usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 8 } },
    })
  })

  test('that was withheld says so', () => {
    const answer = from('generate-content').whole(small['generate-content'])
    expect(answer.choices).toEqual([
      { index: 0, text: 'Hi', logprobs: null, finish_reason: 'content_filter' },
    ])
  })

  test('that its vendor could not finish does not look like a clean end', () => {
    const answer = from('generate-content').whole({
      candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_RESPONSE' }],
    })
    expect(answer.choices).toMatchObject([{ text: '', error: { code: 'MALFORMED_RESPONSE' } }])
  })

  test('of several choices keeps them apart', () => {
    const choice = (index: number) => ({
      index,
      message: { role: 'assistant', content: `answer ${index}` },
      finish_reason: 'stop',
    })
    const many = { id: 'c', object: 'chat.completion', choices: [choice(0), choice(1)] }
    const { choices } = from('chat', { ...ask, n: 2 }).whole(many)
    expect(choices).toMatchObject([
      { index: 0, text: 'answer 0' },
      { index: 1, text: 'answer 1' },
    ])
  })
})

describe('a stream', () => {
  const texts = [
    'openai-chat/empty-choices-first-chunk-stream.chunks.txt',
    'openai-chat/tool-call-stream-turn2.response.sse',
    'anthropic-messages/thinking-stream.response.sse',
    'anthropic-messages/text-stream.chunks.txt',
    'gemini/text-stream.chunks.txt',
    'gemini/reasoning-gemini3-stream.chunks.txt',
  ]

  test.each(texts)('of %s says what the whole answer says, then the usage', (name) => {
    const { format, events } = recorded(name)
    const passage = from(format, asksUsage)
    const chunks = objectsOf(passage.stream(events)) as unknown as OpenAI.Completion[]
    const whole = passage.collected(events) as unknown as OpenAI.Completion
    const pieces = chunks.flatMap(({ choices }) => choices)
    expect(pieces.map(({ text }) => text).join('')).toBe(whole.choices[0]?.text)
    expect(whole.choices[0]?.text.length).toBeGreaterThan(5)
    const finishes = pieces.map(({ finish_reason }) => finish_reason).filter(Boolean)
    expect(finishes).toEqual([whole.choices[0]?.finish_reason])
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(passage.stream(events)).toMatch(/\ndata: \[DONE\]\n\n$/)
  })

  test('has no usage for a client that did not ask, and thoughts for none', () => {
    const { format, events } = recorded('anthropic-messages/thinking-stream.response.sse')
    const text = from(format, { ...ask, stream: true }).stream(events)
    expect(text).not.toContain('"usage"')
    const thought = eventsOf(String(readFixture('anthropic-messages/thinking-stream.response.sse')))
      .map(({ data }) => JSON.parse(data).delta?.thinking)
      .find((piece) => typeof piece === 'string' && piece.length > 20)
    expect(thought).toBeDefined()
    expect(text).not.toContain(JSON.stringify(thought).slice(1, -1))
  })

  test('without usage of the vendor’s ends with an estimate', () => {
    const events = ['{"choices":[{"index":0,"delta":{"content":"Hello there"}}]}']
      .concat('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', '[DONE]')
      .map((data) => ({ event: null, data }))
    const last = objectsOf(from('chat', asksUsage).stream(events)).at(-1)
    expect(last).toMatchObject({ usage: { prompt_tokens: 77, completion_tokens: 3 } })
  })

  test('counts thoughts in the estimate as well, though it does not show them', () => {
    const estimated = (delta: Json) => {
      const events = [{ choices: [{ index: 0, delta }] }]
        .concat({ choices: [{ index: 0, delta: { content: 'Hello there' } }] })
        .map((chunk) => ({ event: null, data: JSON.stringify(chunk) }))
        .concat({ event: null, data: '[DONE]' })
      return objectsOf(from('chat', asksUsage).stream(events)).at(-1)?.usage as Json
    }
    const without = Number(estimated({ role: 'assistant' }).completion_tokens)
    const thought = 'What may they want to hear of me? '.repeat(20)
    const { completion_tokens } = estimated({ reasoning_content: thought })
    expect(completion_tokens).toBeGreaterThan(without + 100)
  })

  test('that fails ends with the error and no [DONE]', () => {
    const events = [
      { event: null, data: '{"choices":[{"index":0,"delta":{"content":"Hel"}}]}' },
      { event: null, data: '{"error":{"message":"Overloaded","code":"slow_down"}}' },
    ]
    const text = from('chat', asksUsage).stream(events)
    expect(objectsOf(text).at(-1)).toMatchObject({
      error: { message: expect.stringContaining('Overloaded'), code: 'slow_down' },
    })
    expect(text).not.toContain('[DONE]')
  })
})

describe('the official client', () => {
  let server: ScriptedUpstream
  let openai: OpenAI

  beforeAll(async () => {
    server = await startUpstream(() => ({ status: 500 }))
    openai = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
  })
  afterAll(() => server.close())

  test('reads a whole answer and a stream', async () => {
    server.script({ body: from('chat').whole(small.chat) })
    const whole = await openai.completions.create(ask)
    expect(whole.choices[0]?.text).toContain('Holiday')

    const { format, events } = recorded('gemini/text-stream.chunks.txt')
    const headers = { 'content-type': 'text/event-stream' }
    server.script({ headers, body: from(format, asksUsage).stream(events), cutSeed: 3 })
    let text = ''
    let total: number | undefined
    for await (const chunk of await openai.completions.create({ ...ask, stream: true })) {
      text += chunk.choices[0]?.text ?? ''
      total = chunk.usage?.total_tokens ?? total
    }
    const collected = from(format).collected(events) as unknown as OpenAI.Completion
    expect(text).toBe(collected.choices[0]?.text)
    expect(total).toBe(collected.usage?.total_tokens)
  })
})
