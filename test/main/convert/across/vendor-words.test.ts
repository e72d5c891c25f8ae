import { describe, expect, test } from 'vitest'
import { readVendorError } from '../../../../main/convert/errors/vendor-error.ts'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { smallCall } from '../../../support/stages/converting-through.ts'
import { eventsOf } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'

const chatAnswer = (finish_reason: string, usage?: Json): Json => ({
  ...{ id: 'c', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason }],
  ...(usage ? { usage } : {}),
})
const claudeAnswer = (stop_reason: string): Json => ({
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason },
  content: [{ type: 'text', text: 'Hello' }],
  usage: { input_tokens: 3, output_tokens: 1 },
})
const geminiAnswer = (finishReason: string): Json => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
})
const itemsAnswer = (status: string, usage?: Json): Json => ({
  ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status },
  output: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
  ],
  usage: usage ?? { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
})

const answerOf: Readonly<Record<WireFormat, (word: string) => Json>> = {
  chat: chatAnswer,
  messages: claudeAnswer,
  'generate-content': geminiAnswer,
  responses: itemsAnswer,
}

describe.each<[WireFormat, string, string]>([
  ['responses', 'complete', 'end_turn'],
  ['responses', 'succeeded', 'end_turn'],
  ['chat', '', 'end_turn'],
  ['chat', 'complete', 'end_turn'],
  ['chat', 'COMPLETE', 'end_turn'],
  ['chat', 'STOP', 'end_turn'],
  ['chat', 'MAX_TOKENS', 'max_tokens'],
  ['chat', 'eos_token', 'end_turn'],
  ['messages', 'stop', 'end_turn'],
  ['messages', 'length', 'max_tokens'],
  ['messages', 'content_filter', 'refusal'],
  ['generate-content', 'stop', 'end_turn'],
  ['generate-content', 'length', 'max_tokens'],
])('a %s vendor whose word for its end is %s', (upstream, word, stop) => {
  test('puts no sentence of the gateway into the text', () => {
    const client = upstream === 'messages' ? 'chat' : 'messages'
    const { whole, spread } = smallCall(client, upstream)
    const answer = answerOf[upstream](word)
    expect(spread(answer)).not.toContain('ended this answer')
    expect(spread(answer)).not.toContain('The model stopped')
    if (client === 'messages') {
      expect(whole(answer)).toMatchObject({ content: [{ text: 'Hello' }], stop_reason: stop })
    } else {
      const finish = { end_turn: 'stop', max_tokens: 'length', refusal: 'content_filter' }[stop]
      expect(whole(answer)).toMatchObject({ choices: [{ finish_reason: finish }] })
      expect(whole(answer).choices).not.toMatchObject([{ error: expect.anything() }])
    }
  })
})

test('a response that was given up is not taken for whole', () => {
  const { whole } = smallCall('chat', 'responses')
  expect(whole(itemsAnswer('cancelled'))).toMatchObject({ choices: [{ error: {} }] })
})

test('the event says that a response is complete, whatever its status was left at', () => {
  const stream = eventsOf(
    `data: ${JSON.stringify({ type: 'response.completed', response: itemsAnswer('in_progress') })}\n\n`,
  )
  expect(smallCall('messages', 'responses').stream(stream)).not.toContain('ended this answer')
})

describe('an answer that Google’s filters kept back', () => {
  const said = 'The answer broke a template of Model Armor.'
  const kept: Json = {
    candidates: [{ index: 0, finishReason: 'MODEL_ARMOR', finishMessage: said }],
    usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
  }

  test.each<[WireFormat, string]>([
    ['chat', 'content_filter'],
    ['responses', 'content_filter'],
    ['messages', 'refusal'],
  ])('tells why to a %s client, whole and streamed', (client, word) => {
    const { spread, stream } = smallCall(client, 'generate-content')
    const streamed = stream(eventsOf(`data: ${JSON.stringify(kept)}\n\n`))
    for (const told of [spread(kept), streamed]) {
      expect(told).toContain(said)
      expect(told).toContain(word)
    }
  })
})

describe('parts of the prompt from the cache', () => {
  const told = (usage: Json, upstream: 'chat' | 'responses' = 'chat') => {
    const answer = upstream === 'chat' ? chatAnswer('stop', usage) : itemsAnswer('completed', usage)
    const claude = smallCall('messages', upstream).whole(answer).usage as Record<string, number>
    return [claude.input_tokens, claude.cache_read_input_tokens, claude.cache_creation_input_tokens]
  }

  test('are never more than the prompt: what was read can have been written too', () => {
    const details = { cached_tokens: 800, cache_write_tokens: 700 }
    expect(
      told({ prompt_tokens: 1000, completion_tokens: 5, prompt_tokens_details: details }),
    ).toEqual([0, 800, 200])
    expect(
      told({ input_tokens: 1000, output_tokens: 5, input_tokens_details: details }, 'responses'),
    ).toEqual([0, 800, 200])
  })

  test('stand beside it where they are more than it', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cache_read_input_tokens: 5000 }
    expect(told({ ...usage, total_tokens: 5015 })).toEqual([10, 5000, 0])
    expect(told({ ...usage, total_tokens: 15 })).toEqual([10, 5000, 0])
  })

  test('are told as written where Alibaba counts them among the prompt’s details', () => {
    const prompt_tokens_details = { cached_tokens: 200, cache_creation_input_tokens: 1500 }
    const usage = { prompt_tokens: 2000, completion_tokens: 5, total_tokens: 2005 }
    expect(told({ ...usage, prompt_tokens_details })).toEqual([300, 200, 1500])
  })

  test('count with the sound that Mistral leaves out of the prompt', () => {
    const details = { cached_tokens: 4, audio_tokens: 300 }
    const usage = { prompt_tokens: 9, completion_tokens: 5, prompt_tokens_details: details }
    expect(told({ ...usage, total_tokens: 314 })).toEqual([305, 4, 0])
    // OpenAI counts it within.
    expect(told({ ...usage, prompt_tokens: 309, total_tokens: 314 })).toEqual([305, 4, 0])
  })
})

describe('the sentence of the vendor behind OpenRouter', () => {
  const error = (raw: unknown) => ({
    error: {
      ...{ message: 'Provider returned error', code: 429 },
      metadata: { raw, provider_name: 'Acme' },
    },
  })

  test.each<[string, unknown]>([
    ['JSON text', JSON.stringify({ error: { message: 'Too many tokens today.' } })],
    ['text', 'Too many tokens today.'],
    ['an object', { error: { message: 'Too many tokens today.' } }],
  ])('is told beside OpenRouter’s own, as %s', (_, raw) => {
    expect(readVendorError(error(raw))).toMatchObject({
      message: 'Provider returned error (Acme: Too many tokens today.)',
      status: 429,
    })
  })

  test('is not told twice, and is cut where it is long', () => {
    const same = error('Provider returned error')
    expect(readVendorError(same)?.message).toBe('Provider returned error')
    expect(readVendorError(error('x'.repeat(100_000)))?.message.length).toBeLessThan(2000)
    expect(readVendorError(error(null))?.message).toBe('Provider returned error')
  })
})

describe('an error in an answer whose own status says nothing', () => {
  test.each([
    [{ type: 'overloaded_error' }, 529],
    [{ code: 'rate_limit_exceeded' }, 429],
    [{ code: 'insufficient_quota', type: 'some_new_type' }, 429],
    [{ code: 401 }, 401],
    [{ code: '503', type: 'invalid_request_error' }, 503],
    [{ code: 'of its own' }, null],
  ])('%j stands for %s', (words, status) => {
    expect(readVendorError({ error: { message: 'No.', ...words } })).toMatchObject({ status })
  })
})

describe('which field a vendor found wrong', () => {
  const error = { message: 'Too low.', type: 'invalid_request_error', param: 'max', code: 'low' }
  const begun = {
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { content: 'a' } }],
  }

  test('reaches a client of Responses from a chat stream', () => {
    const events = eventsOf(
      [begun, { error }].map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''),
    )
    expect(smallCall('responses', 'chat').stream(events)).toContain('"param":"max"')
  })

  test('reaches a client of chat from a stream of Responses', () => {
    const events = eventsOf(`data: ${JSON.stringify({ type: 'error', error })}\n\n`)
    expect(smallCall('chat', 'responses').stream(events)).toContain('"param":"max"')
    const flat = eventsOf(`data: ${JSON.stringify({ ...error, type: 'error' })}\n\n`)
    expect(smallCall('chat', 'responses').stream(flat)).toContain('"param":"max"')
  })

  test('reaches both in a 200 answer', () => {
    expect(() => smallCall('responses', 'chat').whole({ error })).toThrow(
      expect.objectContaining({ field: 'max' }),
    )
  })
})
