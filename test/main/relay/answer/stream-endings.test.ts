import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import { smallStreams } from '../../../support/upstreams/small-streams.ts'

type Family = 'chat' | 'messages' | 'generate-content'

interface Sample {
  format: Family
  /** Events that begin an answer, each with its blank line. */
  begin: readonly string[]
  /** Makes the stream whole. */
  end: string
  keepAlive: string
  /** Never to be seen in an answer that is not whole. */
  clean: RegExp
}

const samples: readonly Sample[] = [
  {
    format: 'chat',
    begin: ['data: {"choices":[{"delta":{"content":"Hel"},"finish_reason":null}]}\n\n'],
    end: 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    keepAlive: ': keep-alive\n\n',
    clean: /\[DONE\]/,
  },
  {
    format: 'messages',
    begin: [
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":9,"output_tokens":1}}}\n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"Hello there"}}\n\n',
    ],
    end: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
    clean: /message_stop/,
  },
  {
    format: 'generate-content',
    begin: ['data: {"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}\r\n\r\n'],
    end: 'data: {"candidates":[{"finishReason":"STOP"}]}\r\n\r\n',
    keepAlive: ': keep-alive\n\n',
    clean: /finishReason/,
  },
]

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
})
beforeEach(() => pair.gateway.set({ StreamKeepAliveSeconds: 0, UpstreamIdleSeconds: 300 }))
afterAll(() => pair.close())

function stream(format: Family, reply: Reply, query = '?alt=sse') {
  pair.upstream.script(reply)
  const model = modelOf[format]
  if (format === 'generate-content') {
    return pair.send(`/v1beta/models/${model}:streamGenerateContent${query}`, {
      body: { contents: [{}] },
    })
  }
  return pair.send(format === 'chat' ? '/v1/chat/completions' : '/v1/messages', {
    body: { model, stream: true, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] },
    headers: { 'anthropic-version': '1' },
  })
}

/** The last event's data, read as a client reads it: no event is without a blank line at its end. */
function lastEvent(text: string): { name: string | undefined; data: Record<string, unknown> } {
  const event = text.split(/\r?\n\r?\n/).at(-2) ?? ''
  const lines = event.split(/\r?\n/)
  const value = (field: string) =>
    lines
      .find((line) => line.startsWith(`${field}:`))
      ?.slice(field.length + 1)
      .trim()
  return { name: value('event'), data: JSON.parse(value('data') ?? '{}') }
}

function expectError({ format, clean }: Sample, text: string, words: RegExp): void {
  expect(text).not.toMatch(clean)
  const { name, data } = lastEvent(text)
  expect(data).toMatchObject({ error: { message: expect.stringMatching(words) } })
  if (format === 'messages') {
    expect(name).toBe('error')
    expect(data.type).toBe('error')
  }
  if (format === 'generate-content') {
    expect((data.error as { code: number }).code).toBeGreaterThan(499)
    // As Google sends it, for SDKs that overlook it in an event.
    expect(JSON.parse(text.slice(text.lastIndexOf('\n')))).toEqual(data)
  }
}

describe.each(samples)(
  '$format: a stream ends with an error, never as if it were whole, when',
  (sample) => {
    const { format, begin } = sample

    test.each([
      ['the connection breaks', begin],
      ['it breaks in the middle of an event', [...begin, 'event: x\ndata: {"choices":[{"del']],
      ['it breaks between the lines of an event', [...begin, 'event: x\n']],
      [
        'it breaks in the middle of a character',
        [...begin, Buffer.from('data: "é').subarray(0, 8)],
      ],
    ])('%s', async (_, chunks) => {
      const answer = await stream(format, { chunks, ending: 'cut', pause: 5 })
      expect(answer.status).toBe(200)
      expect(answer.text.startsWith(begin[0] as string)).toBe(true)
      expectError(sample, answer.text, /closed|reset|ended/)
      expect(pair.rowsOf(answer)).toMatchObject([{ type: 2, isStream: true }])
      expect(JSON.parse(pair.rowsOf(answer)[0]?.other ?? '')).toMatchObject({ estimated: true })
    })

    test('the vendor ends it without saying that it is whole', async () => {
      const answer = await stream(format, { chunks: begin })
      expectError(sample, answer.text, /before the answer was complete/)
    })

    test('the vendor falls silent, whatever keeps the client’s connection alive', async () => {
      pair.gateway.set({ StreamKeepAliveSeconds: 1, UpstreamIdleSeconds: 2 })
      const answer = await stream(format, { chunks: begin, ending: 'hang' })
      expectError(sample, answer.text, /sent nothing for 2 seconds/)
      expect(answer.text).toContain(sample.keepAlive)
      expect(await pair.upstream.last().ended).toBe('gone')
      expect(pair.rowsOf(answer)).toHaveLength(1)
    })

    test('not when it is whole', async () => {
      const answer = await stream(format, { chunks: [...begin, sample.end], cutSeed: 3 })
      expect(answer.text).toBe(begin.join('') + sample.end)
      expect(pair.rowsOf(answer)).toMatchObject([{ status: 200, content: '', type: 2 }])
    })

    test('a connection that breaks after the last event harms nobody', async () => {
      if (format === 'generate-content') return
      const answer = await stream(format, { chunks: [...begin, sample.end], ending: 'cut' })
      expect(answer.text).toBe(begin.join('') + sample.end)
      expect(pair.rowsOf(answer)).toMatchObject([{ status: 200, content: '' }])
    })

    test('the last event may lack its blank line', async () => {
      const bare = sample.end.trimEnd()
      const answer = await stream(format, { chunks: [...begin, bare] })
      expect(answer.text).toBe(begin.join('') + bare)
      expect(pair.rowsOf(answer)).toMatchObject([{ content: '' }])
    })
  },
)

describe.each(samples)('$format: while the vendor thinks', (sample) => {
  const { format, begin, end, keepAlive } = sample

  test('the client hears a sign of life between two events, and nothing else is added', async () => {
    pair.gateway.set({ StreamKeepAliveSeconds: 1 })
    const answer = await stream(format, { chunks: [begin.join(''), end], pause: 2600 })
    const text = begin.join('')
    expect(answer.text.startsWith(text + keepAlive)).toBe(true)
    expect(answer.text.replaceAll(keepAlive, '')).toBe(text + end)
    expect(answer.text.split(keepAlive)).toHaveLength(3)
  })

  test('also before the first event', async () => {
    pair.gateway.set({ StreamKeepAliveSeconds: 1 })
    const answer = await stream(format, { chunks: ['', begin.join('') + end], pause: 1900 })
    expect(answer.text).toBe(keepAlive + begin.join('') + end)
  })

  test('never inside an event', async () => {
    pair.gateway.set({ StreamKeepAliveSeconds: 1 })
    const [first = ''] = begin
    const half = first.indexOf('\n') + 1
    const chunks = [first + first.slice(0, half), first.slice(half) + end]
    const answer = await stream(format, { chunks, pause: 2200 })
    expect(answer.text.replaceAll(keepAlive, '')).toBe(first + first + end)
    expect(answer.text).not.toContain(first.slice(0, half) + keepAlive)
  })
})

describe('Gemini without alt=sse', () => {
  const item =
    '{"candidates":[{"content":{"parts":[{"text":"Hel"}]}}],"usageMetadata":{"promptTokenCount":3}}'
  const headers = { 'content-type': 'application/json' }

  test('a cut array is closed by an error that a client can read', async () => {
    const reply: Reply = { chunks: [`[${item}`], ending: 'cut', headers }
    const answer = await stream('generate-content', reply, '')
    const items = JSON.parse(answer.text) as { error?: { code: number } }[]
    expect(items).toHaveLength(2)
    expect(items[1]?.error?.code).toBe(502)
    expect(pair.rowsOf(answer)).toMatchObject([{ promptTokens: 3 }])
  })

  test('one that never began is an array with the error alone', async () => {
    pair.gateway.set({ StreamKeepAliveSeconds: 1, UpstreamIdleSeconds: 2 })
    const answer = await stream('generate-content', { chunks: [''], ending: 'hang', headers }, '')
    expect(JSON.parse(answer.text)).toMatchObject([
      { error: { code: 504, status: 'DEADLINE_EXCEEDED' } },
    ])
  })

  test.each([
    ['a web page', '<html>Sign in</html>', 'text/html', 502, 'web page'],
    [
      'an error',
      '[{"error":{"code":429,"message":"Slow down."}}]',
      'application/json',
      429,
      'Slow down.',
    ],
    [
      'a bare error',
      '{"error":{"code":429,"message":"Slow down."}}',
      'application/json',
      429,
      'Slow down.',
    ],
  ])('%s with status 200 is an error', async (_, body, type, status, words) => {
    const reply: Reply = { chunks: [body], headers: { 'content-type': type } }
    const answer = await stream('generate-content', reply, '')
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
  })
})

test.each([
  ['in plain form', ''],
  ['behind a byte order mark', '\ufeff'],
])('a stream of one event without its line end is whole: %s', async (_, mark) => {
  const event =
    'data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}'
  const answer = await stream('generate-content', { chunks: [mark + event] })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(event)
  expect(pair.rowsOf(answer)).toMatchObject([{ status: 200, content: '', type: 2 }])
})

test('with signs of life off, a failure that was long in coming leads to another channel all the same', async () => {
  for (const priority of [2, 1]) pair.addChannelOf('chat', { models: ['twice'], priority })
  const { begin, text, end, error } = smallStreams.chat
  const good = { chunks: [begin, text('Hello'), end] }
  pair.upstream.script({ chunks: ['', error], pause: 600 }, good)
  const body = { model: 'twice', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const answer = await pair.send('/v1/chat/completions', { body })
  expect(answer.text).toContain('"Hello"')
  expect(answer.text).not.toContain('It broke down.')
})
