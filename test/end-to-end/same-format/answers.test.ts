import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { modelOf, type Pair, startPair } from '../../support/gateway/pair.ts'
import { recordedStreams } from '../../support/recordings/fixtures.ts'

/** Prompt and completion tokens of each recording, read off its last usage by hand and by script. */
const usages: Readonly<Record<string, readonly [number, number] | 'estimated'>> = {
  'anthropic-messages/json-output-format-stream.chunks.txt': [313, 305],
  'anthropic-messages/message-delta-input-tokens-stream.chunks.txt': [61, 2],
  'anthropic-messages/redacted-thinking-stream.response.sse': [92, 189],
  'anthropic-messages/refusal-stream.chunks.txt': [18, 5],
  'anthropic-messages/text-stream.chunks.txt': [12, 30],
  'anthropic-messages/thinking-stream.response.sse': [43, 282],
  'anthropic-messages/tool-no-args-stream.chunks.txt': [565, 48],
  'anthropic-messages/web-search-stream.chunks.txt': [15665, 795],
  'openai-chat/deepseek-tool-call-reasoning-stream.chunks.txt': [339, 83],
  'openai-chat/empty-choices-first-chunk-stream.chunks.txt': [15, 78],
  'openai-chat/mistral-incremental-tool-call-stream.chunks.txt': [171, 14],
  'openai-chat/parallel-tool-calls-stream.response.sse': [398, 10],
  'openai-chat/tool-call-stream-turn1.response.sse': [53, 15],
  'openai-chat/tool-call-stream-turn2.response.sse': [78, 9],
  // Its vendor reports none: counted from the words, and said to be.
  'openai-chat/tool-index-starts-at-1-stream.sse': 'estimated',
  'gemini/partial-args-stream.chunks.txt': [26, 155],
  'gemini/reasoning-gemini3-stream.chunks.txt': [9, 325],
  'gemini/text-stream.chunks.txt': [9, 208],
  'gemini/thought-signature-turn1.response.sse': [29, 212],
  'gemini/thought-signature-turn2.response.sse': [257, 8],
  'gemini/tool-call-gemini3-stream.chunks.txt': [29, 819],
}

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  for (const format of ['chat', 'messages', 'generate-content'] as const) {
    const models = [`asked-${format}`]
    pair.addChannelOf(format, { models, modelMapping: { [`asked-${format}`]: 'other-name' } })
  }
})
afterAll(() => pair.close())

function streamed(format: WireFormat, model = modelOf[format]) {
  const turn = { role: 'user', content: 'Hi' }
  if (format === 'generate-content') {
    const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`
    return pair.send(path, { body: { contents: [{ parts: [{ text: 'Hi' }] }] } })
  }
  if (format === 'messages') {
    return pair.send('/v1/messages', {
      body: { model, messages: [turn], max_tokens: 9, stream: true },
      headers: { 'anthropic-version': '2023-06-01' },
    })
  }
  return pair.send('/v1/chat/completions', {
    body: { model, messages: [turn], stream: true, stream_options: { include_usage: true } },
  })
}

describe.each(recordedStreams)('$name', ({ name, format, bytes }) => {
  test.each([1, 2, 3])(
    'passes byte for byte and is booked right, cut by seed %i',
    async (cutSeed) => {
      pair.upstream.script({ chunks: [bytes], cutSeed, gzip: cutSeed === 3 })
      const answer = await streamed(format)
      expect(answer.status).toBe(200)
      expect(answer.bytes.equals(bytes)).toBe(true)
      const rows = pair.rowsOf(answer)
      expect(rows).toHaveLength(1)
      expect(rows[0]).toMatchObject({ status: 200, content: '' })
      const booked = [rows[0]?.promptTokens, rows[0]?.completionTokens]
      const isEstimated = JSON.parse(rows[0]?.other ?? '{}').estimated === true
      expect(isEstimated).toBe(usages[name] === 'estimated')
      if (isEstimated) expect(booked.every((tokens) => Number(tokens) > 0)).toBe(true)
      else expect(booked).toEqual(usages[name])
    },
  )

  test('shows the asked name where the model is mapped, and changes nothing else', async () => {
    pair.upstream.script({ chunks: [bytes], cutSeed: 9 })
    const asked = `asked-${format}`
    const answer = await streamed(format, asked)
    const key = format === 'generate-content' ? 'modelVersion' : 'model'
    const expected = String(bytes).replace(
      new RegExp(`("${key}"\\s*:\\s*)"[^"]*"`, 'g'),
      (_, before: string) => `${before}"${asked}"`,
    )
    expect(answer.text).toBe(expected)
  })
})

describe('a whole answer', () => {
  const body = { model: 'chat-model', messages: [{ role: 'user', content: 'Hi' }] }
  const odd =
    '\n{ "choices" : [ ],"model":"gpt-x" ,\r\n "n":1.0e2, "s":"\\u00e9é🙂\\/","big":12345678901234567890}\n'

  test.each([false, true])('keeps every byte (gzip at the vendor: %s)', async (gzip) => {
    pair.upstream.script({ body: odd, headers: { 'content-type': 'application/json' }, gzip })
    const answer = await pair.send('/v1/chat/completions', { body })
    expect(answer.text).toBe(odd)
    expect(answer.headers).not.toHaveProperty('content-encoding')
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(odd)))
  })

  test('keeps the vendor’s headers that are for the client, and only those', async () => {
    const kept = {
      'x-request-id': 'req_1',
      'openai-processing-ms': '12',
      'x-ratelimit-remaining-requests': '99',
      'retry-after': '3',
      'x-should-retry': 'true',
    }
    pair.upstream.script({
      status: 429,
      body: { error: { message: 'Slow down.' } },
      headers: {
        ...kept,
        'set-cookie': ['a=1', 'b=2'],
        'strict-transport-security': 'max-age=1',
        'alt-svc': 'h3',
        'cf-ray': '1',
        server: 'vendor',
      },
    })
    const answer = await pair.send('/v1/chat/completions', { body })
    expect(answer.headers).toMatchObject(kept)
    for (const name of ['set-cookie', 'strict-transport-security', 'alt-svc', 'cf-ray', 'server']) {
      expect(answer.headers).not.toHaveProperty(name)
    }
  })

  test('a status mapping changes the status of a refusal, in the log too, and leaves its body', async () => {
    pair.addChannelOf('chat', { models: ['remapped'], statusCodeMapping: { '429': '503' } })
    pair.upstream.script({ status: 429, body: '{"error":{"message":"x"} }' })
    const answer = await pair.send('/v1/chat/completions', { body: { ...body, model: 'remapped' } })
    expect([answer.status, answer.text]).toEqual([503, '{"error":{"message":"x"} }'])
    expect(pair.rowsOf(answer)).toMatchObject([{ status: 503 }])
  })

  test('a stream has the headers of one, and no length', async () => {
    pair.upstream.script({ chunks: ['data: {"choices":[]}\n\ndata: [DONE]\n\n'] })
    const { headers } = await streamed('chat')
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    expect(headers['content-type']).toContain('text/event-stream')
    expect(headers).not.toHaveProperty('content-length')
  })
})

describe('Gemini', () => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
  const array =
    '[{"candidates":[{"content":{"parts":[{"text":"H"}]}}],"usageMetadata":{"promptTokenCount":5}}\n,\r\n' +
    '{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":6}}\n]\n'

  test.each(['/v1beta', '/v1'])(
    '%s without alt=sse: one JSON array, byte for byte',
    async (version) => {
      const headers = { 'content-type': 'application/json; charset=UTF-8' }
      pair.upstream.script({ chunks: [array], cutSeed: 5, headers })
      const path = `${version}/models/gemini-model:streamGenerateContent`
      const answer = await pair.send(path, { body })
      expect(answer.text).toBe(array)
      expect(answer.headers['content-type']).toContain('application/json')
      expect(pair.upstream.last().url).toBe('/v1beta/models/gemini-model:streamGenerateContent')
      expect(pair.rowsOf(answer)[0]).toMatchObject({
        promptTokens: 5,
        completionTokens: 6,
        isStream: true,
      })
    },
  )

  test.each(['/v1beta', '/v1'])('%s serves every verb', async (version) => {
    for (const [verb, answer] of [
      ['generateContent', '{"candidates": []}'],
      ['countTokens', '{"totalTokens": 7}'],
    ] as const) {
      pair.upstream.script({ body: answer })
      const { text } = await pair.send(`${version}/models/gemini-model:${verb}`, { body })
      expect(text).toBe(answer)
      expect(pair.upstream.last().url).toBe(`/v1beta/models/gemini-model:${verb}`)
    }
  })

  test.each(['vendor/name:free', 'vendor%2Fname%3Afree', 'vendor/name%3afree'])(
    'a model named %s in the path',
    async (inPath) => {
      if (pair.gateway.parts.channels.serving('default', 'vendor/name:free').length === 0) {
        pair.addChannelOf('generate-content', { models: ['vendor/name:free'] })
      }
      pair.upstream.script({ body: { candidates: [] } })
      const answer = await pair.send(`/v1beta/models/${inPath}:generateContent`, { body })
      expect(answer.status).toBe(200)
      expect(decodeURIComponent(pair.upstream.last().url)).toBe(
        '/v1beta/models/vendor/name:free:generateContent',
      )
      expect(pair.rowsOf(answer)[0]?.model).toBe('vendor/name:free')
    },
  )
})
