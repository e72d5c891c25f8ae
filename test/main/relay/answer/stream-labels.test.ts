import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { smallStreams } from '../../../support/upstreams/small-streams.ts'

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  pair.gateway.set({ RetryTimes: 0 })
})
afterAll(() => pair.close())

const turns = [{ role: 'user', content: 'Hi' }]
const chat = smallStreams.chat
const stream = chat.begin + chat.text('Hel') + chat.text('lo') + chat.end

function ask(path: string, body: object, reply: Reply) {
  pair.upstream.script(reply)
  return pair.send(path, { body, headers: { 'anthropic-version': '2023-06-01' } })
}

const labels: readonly [string, Record<string, string>][] = [
  ['application/json', { 'content-type': 'application/json' }],
  ['text/plain', { 'content-type': 'text/plain' }],
  ['text/html', { 'content-type': 'text/html' }],
  ['nothing', {}],
]

describe.each(labels)('a stream of events that its upstream labels %s', (_, headers) => {
  const reply = (text: string): Reply => ({ body: Buffer.from(text), headers })

  test('goes to the client under its right name', async () => {
    const body = { model: modelOf.chat, stream: true, messages: turns }
    const usage = { stream_options: { include_usage: true } }
    const answer = await ask('/v1/chat/completions', { ...body, ...usage }, reply(stream))
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(answer.text).toBe(stream)
    expect(pair.rowsOf(answer)).toMatchObject([{ content: '', completionTokens: 20 }])
  })

  test('is converted while it comes', async () => {
    const body = { model: modelOf.chat, stream: true, max_tokens: 9, messages: turns }
    const answer = await ask('/v1/messages', body, reply(stream))
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
    // Two deltas: it was not gathered and sent as one.
    expect(answer.text.match(/"text_delta"/g)).toHaveLength(2)
    expect(answer.text).toContain('message_stop')
  })
})

test('a whole answer to a call for a stream is not taken for one, whatever it quotes', async () => {
  const whole = {
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: '\ndata: {"a":1}\n\n' } }],
  }
  const body = { model: modelOf.chat, stream: true, messages: turns }
  const answer = await ask('/v1/chat/completions', body, { body: whole })
  expect(answer.headers['content-type']).toMatch(/json/)
  expect(answer.json()).toEqual(whole)
})

describe('Gemini’s stream as a JSON array', () => {
  const items = ['Hel', 'lo'].map((text, index) => ({
    candidates: [
      { index: 0, content: { parts: [{ text }] }, ...(index ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: index },
  }))
  const array = JSON.stringify(items, null, 1)
  const path = `/v1beta/models/${modelOf['generate-content']}:streamGenerateContent`
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

  test.each([...labels, ['text/event-stream', { 'content-type': 'text/event-stream' }] as const])(
    'passes, labelled %s',
    async (_, headers) => {
      for (const text of [array, `\n\n${array}\n`, `\ufeff${array}`]) {
        const answer = await ask(path, { contents }, { body: Buffer.from(text), headers })
        expect(JSON.parse(answer.text.replace(/^\ufeff/, ''))).toEqual(items)
        expect(pair.rowsOf(answer)).toMatchObject([{ content: '', promptTokens: 3 }])
      }
    },
  )

  test('that came as events after all goes on as events', async () => {
    const events = items.map((item) => `data: ${JSON.stringify(item)}\r\n\r\n`)
    const answer = await ask(path, { contents }, { chunks: events })
    expect(answer.text).toBe(events.join(''))
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/)
    expect(pair.rowsOf(answer)).toMatchObject([{ content: '', promptTokens: 3 }])
  })

  test('which ends before its bracket is broken, whatever its label', async () => {
    for (const [, headers] of labels) {
      const answer = await ask(
        path,
        { contents },
        { body: Buffer.from(array.slice(0, -2)), headers },
      )
      expect(answer.text).toContain('before the answer was complete')
    }
  })

  test('is converted, where an upstream does not heed alt=sse', async () => {
    const body = { model: modelOf['generate-content'], stream: true, messages: turns }
    const answer = await ask('/v1/chat/completions', body, {
      body: array,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.text).toContain('"finish_reason":"stop"')
    expect(answer.text).toContain('Hel')
    expect(answer.text).toMatch(/\[DONE\]/)
  })
})
