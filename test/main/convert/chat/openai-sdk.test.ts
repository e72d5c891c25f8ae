import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import { stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { collectStream } from '../../../../main/convert/stream/collect-stream.ts'
import type { StreamPart } from '../../../../main/convert/stream/stream-part.ts'
import {
  type ScriptedUpstream,
  startUpstream,
} from '../../../support/upstreams/scripted-upstream.ts'
import { answerTarget, encodeStream, start, usage } from './small-exchange.ts'

const parts: StreamPart[] = [
  start,
  { type: 'reasoning-start', block: 0, choice: 0, form: 'raw' },
  { type: 'reasoning-delta', block: 0, section: 0, text: 'Hm' },
  {
    type: 'reasoning-end',
    block: 0,
    state: { origin: 'messages', kind: 'signature', data: 'sig', model: null },
  },
  { type: 'text-start', block: 1, choice: 0 },
  { type: 'text-delta', block: 1, text: 'Größe ' },
  { type: 'text-delta', block: 1, text: '🎉' },
  {
    type: 'text-citation',
    block: 1,
    citation: { type: 'url', url: 'https://a.example', title: 'A' },
  },
  { type: 'text-end', block: 1 },
  { type: 'call-start', block: 2, choice: 0, id: 'a', name: 'get', kind: 'function' },
  { type: 'call-delta', block: 2, text: '{"id":900' },
  { type: 'call-delta', block: 2, text: '7199254740993}' },
  { type: 'call-end', block: 2 },
  { type: 'call-start', block: 3, choice: 0, id: 'b', name: 'list', kind: 'function' },
  { type: 'call-end', block: 3 },
  { type: 'stop', choice: 0, stop: { reason: 'end' } },
  { type: 'usage', usage },
  { type: 'response-end' },
]

const message = {
  role: 'assistant',
  content: 'Größe 🎉',
  reasoning_content: 'Hm',
  tool_calls: [
    { id: 'a', type: 'function', function: { name: 'get', arguments: '{"id":9007199254740993}' } },
    { id: 'b', type: 'function', function: { name: 'list', arguments: '{}' } },
  ],
}

describe('the official client', () => {
  let server: ScriptedUpstream
  let client: OpenAI

  beforeAll(async () => {
    server = await startUpstream(() => ({ status: 500 }))
    client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 })
  })
  afterAll(() => server.close())

  const body = { model: 'asked-for', messages: [{ role: 'user' as const, content: 'Hi' }] }
  const events = { 'content-type': 'text/event-stream' }

  test('reads a whole answer', async () => {
    const collected = collectStream()
    for (const part of parts) collected.push(part)
    const encoded = chatConversion.encodeResponse(collected.response(), answerTarget())
    server.script({
      headers: { 'content-type': 'application/json' },
      body: stringifyExact(encoded),
    })
    const answer = await client.chat.completions.create(body)
    expect(answer).toMatchObject({
      id: 'chatcmpl-call1',
      object: 'chat.completion',
      model: 'asked-for',
    })
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message })
    expect(answer.choices[0]?.message.annotations?.[0]?.url_citation.url).toBe('https://a.example')
    expect(answer.usage?.total_tokens).toBe(59)
  })

  test('reads a stream, whatever its pieces, with its own helper', async () => {
    const stream = { ...body, stream_options: { include_usage: true } }
    for (const cutSeed of [1, 2, 3]) {
      server.script({ headers: events, chunks: [encodeStream(parts)], cutSeed })
      const helper = client.chat.completions.stream(stream)
      const answer = await helper.finalChatCompletion()
      expect(answer.choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { role: 'assistant', content: message.content, tool_calls: message.tool_calls },
      })
      expect(answer.usage).toMatchObject({ prompt_tokens: 50, completion_tokens: 9 })
      expect((await helper.totalUsage()).total_tokens).toBe(59)
    }
  })

  test('reads a stream chunk by chunk, thoughts included', async () => {
    server.script({ headers: events, chunks: [encodeStream(parts)] })
    let text = ''
    let thoughts = ''
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
      const delta = chunk.choices[0]?.delta
      text += delta?.content ?? ''
      thoughts += (delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? ''
    }
    expect([text, thoughts]).toEqual([message.content, 'Hm'])
  })

  test('throws at an error inside a stream', async () => {
    const error: StreamPart = { type: 'error', message: 'Overloaded.', status: 529, code: null }
    server.script({ headers: events, chunks: [encodeStream([...parts.slice(0, 6), error])] })
    const read = client.chat.completions.stream(body).finalChatCompletion()
    await expect(read).rejects.toThrow(/Overloaded/)
  })
})
