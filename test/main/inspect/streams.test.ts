import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Capture, CapturedBody } from '../../../main/capture/capture.ts'
import type { WireFormat } from '../../../main/convert/exchange.ts'
import { ArrayItems } from '../../../main/inspect/events/array-items.ts'
import { eventsOf, viewStream } from '../../../main/inspect/events/stream-view.ts'
import { timedEvents } from '../../../main/inspect/events/timed-events.ts'
import { readAnswer } from '../../../main/inspect/reading/read-answer.ts'
import { readConversation } from '../../../main/inspect/reading/read-conversation.ts'
import { captureCall } from '../../support/captures/capture-call.ts'
import { cutAtRandom } from '../../support/clients/cut-at-random.ts'
import { modelOf, type Pair, startPair } from '../../support/gateway/pair.ts'
import { readFixture } from '../../support/recordings/fixtures.ts'
import { recordedAnswerStreams } from '../../support/recordings/recorded-exchanges.ts'

const formats: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']

let pair: Pair
beforeAll(async () => {
  pair = await startPair({ empty: true })
  for (const format of formats) {
    const type = { chat: 'openai', responses: 'openai-response', messages: 'anthropic' }
    const name = format === 'generate-content' ? 'gemini' : type[format]
    pair.addChannelOf(format, { settings: { endpoint_types: [name] } })
  }
})
afterAll(() => pair.close())

/** A streamed call of each format's client. */
const calls: Readonly<Record<WireFormat, (model: string) => { path: string; body: object }>> = {
  chat: (model) => ({
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: 'Hi' }], stream: true },
  }),
  messages: (model) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], stream: true },
  }),
  responses: (model) => ({
    path: '/v1/responses',
    body: { model, input: 'Hi', stream: true, store: false },
  }),
  'generate-content': (model) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  }),
}

/** A stream with a text; the recorded bytes in pieces of one event each. */
function recorded(format: WireFormat, name: string): Buffer[] {
  const found = recordedAnswerStreams.find(
    (one) => one.format === format && one.name.includes(name),
  )
  if (!found) throw new Error(`no recorded stream ${name}`)
  const text = found.bytes.toString()
  return (text.match(/[\s\S]*?(?:\r?\n\r?\n|$)/g) ?? [])
    .filter((one) => one !== '')
    .map((one) => Buffer.from(one))
}

const texts: Readonly<Record<WireFormat, string>> = {
  chat: 'tool-call-stream-turn2',
  messages: 'text-stream',
  'generate-content': 'text-stream',
  responses: 'text-and-tool-stream-turn2',
}

function captured(client: WireFormat, upstream: WireFormat, chunks: Buffer[]): Promise<Capture> {
  return captureCall(pair, {
    format: client,
    ...calls[client](modelOf[upstream]),
    model: modelOf[upstream],
    upstream,
    replies: [{ chunks, pause: 1 }],
  })
}

const pairs = formats.flatMap((upstream) => formats.map((client) => [upstream, client] as const))

describe('a stream that is looked at', () => {
  test.each(pairs)(
    'from %s to %s links each event to those with its words',
    async (upstream, client) => {
      const capture = await captured(client, upstream, recorded(upstream, texts[upstream]))
      expect(capture.client.answer?.status).toBe(200)
      const view = viewStream(capture, 0)
      const words = (list: typeof view.client) => list.map(({ text }) => text).join('')
      expect(words(view.upstream).length).toBeGreaterThan(20)
      expect(words(view.client)).toBe(words(view.upstream))
      // Every event with words has its counterpart, and shares words with it.
      for (const [side, index] of [
        ['upstream', 0],
        ['client', 1],
      ] as const) {
        const linked = new Set(view.links.map((link) => link[index]))
        view[side].forEach(({ text }, event) => {
          if (text !== '') expect(linked).toContain(event)
        })
      }
      for (const [from, to] of view.links) {
        const one = view.upstream[from]?.text ?? ''
        const other = view.client[to]?.text ?? ''
        if (one !== '' && other !== '')
          expect(one.includes(other) || other.includes(one)).toBe(true)
      }
      // In order: what came first was sent first.
      const spoken = view.links.filter(([from]) => view.upstream[from]?.text !== '')
      expect(spoken.map(([, to]) => to)).toEqual(
        spoken.map(([, to]) => to).toSorted((a, b) => a - b),
      )
      // The ends find each other too.
      expect(view.links.some(([from]) => from > (spoken.at(-1)?.[0] ?? 0))).toBe(true)
    },
  )

  test.each(['chat', 'responses'] as const)(
    'shows a refusal to a client of %s word by word, as it shows a text',
    async (client) => {
      const chunks = [{ refusal: 'I will ' }, { refusal: 'not.' }]
        .map((delta) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] }))
        .map((chunk) => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))
      const end = Buffer.from('data: [DONE]\n\n')
      const view = viewStream(await captured(client, 'chat', [...chunks, end]), 0)
      const words = (list: typeof view.client) => list.flatMap(({ text }) => text || [])
      expect(words(view.upstream)).toEqual(['I will ', 'not.'])
      expect(words(view.client)).toEqual(['I will ', 'not.'])
    },
  )

  const withParts: readonly [WireFormat, string][] = [
    ['chat', 'parallel-tool-calls'],
    ['chat', 'deepseek-tool-call-reasoning'],
    ['chat', 'tool-index-starts-at-1'],
    ['messages', '/thinking-stream'],
    ['messages', 'tool-no-args'],
    ['generate-content', 'tool-call-gemini3'],
    ['generate-content', 'reasoning-gemini3'],
    ['responses', 'text-and-tool-stream-turn1'],
    ['responses', 'reasoning-encrypted-stream.chunks.txt 1'],
  ]
  const read = withParts.flatMap(([upstream, name]) =>
    formats.map((client) => [upstream, name, client] as const),
  )

  test.each(read)(
    '%s’s %s is read alike by a client of %s, and each of its events is linked',
    async (upstream, name, client) => {
      const capture = await captured(client, upstream, recorded(upstream, name))
      const { output } = readConversation(capture)
      const sent = readAnswer(capture.exchanges[0]?.answer ?? null, upstream)
      expect(sent.length).toBeGreaterThan(0)
      // Gemini's arguments are an object, written without blanks; ids are made where it has none.
      const bare = (parts: typeof sent) =>
        parts.map(({ kind, text, id: _id, ...part }) => ({
          ...part,
          kind,
          text: kind === 'tool-call' ? JSON.parse(text || '{}') : text,
        }))
      expect(bare(output)).toEqual(bare(sent))
      const view = viewStream(capture, 0)
      const linked = new Set(view.links.map(([from]) => from))
      view.upstream.forEach(({ text }, index) => {
        if (text !== '') expect(linked).toContain(index)
      })
    },
  )

  test('an event has the time of the chunk that completed it', () => {
    const bytes = ['data: {"a":', '1}\n', '\ndata: {"b":2}\n\ndata: {"c"', ':3}\n\n']
    const body: CapturedBody = {
      chunks: bytes.map((one) => Buffer.from(one)),
      times: [10, 20, 30, 40],
      size: 0,
    }
    expect(timedEvents(body, 5)).toEqual([
      { at: 30, event: null, data: '{"a":1}' },
      { at: 30, event: null, data: '{"b":2}' },
      { at: 40, event: null, data: '{"c":3}' },
    ])
    expect(timedEvents({ ...body, times: [] }, 5).map(({ at }) => at)).toEqual([5, 5, 5])
  })

  test.each(['', '\n'])('its last event is listed though it ends with %j alone', (ending) => {
    const chunks = ['data: {"a":1}\n\n', `data: {"b":2}${ending}`].map((one) => Buffer.from(one))
    expect(timedEvents({ chunks, times: [10, 20], size: 0 }, 5)).toEqual([
      { at: 10, event: null, data: '{"a":1}' },
      { at: 20, event: null, data: '{"b":2}' },
    ])
  })

  test.each(recordedAnswerStreams.map((one) => [one.name, one] as const))(
    '%s gives the same events wherever it is cut',
    (_name, { bytes }) => {
      const whole = timedEvents({ chunks: [bytes], times: [], size: bytes.length }, 0)
      const chunks = cutAtRandom(bytes, 7)
      expect(whole.length).toBeGreaterThan(0)
      expect(timedEvents({ chunks, times: [], size: bytes.length }, 0)).toEqual(whole)
    },
  )
})

describe('Gemini’s stream as one array', () => {
  test('is listed item by item, each with its time', async () => {
    const chunks = recorded('generate-content', 'text-stream')
    const events = timedEvents({ chunks, times: [], size: 1 }, 0).map(({ data }) => data)
    const text = `[${events.join('\n,\n')}\n]`
    const pieces = cutAtRandom(Buffer.from(text), 3)
    const times = pieces.map((_, index) => index)
    const found = timedEvents({ chunks: pieces, times, size: text.length }, 0)
    expect(found.map(({ data }) => data)).toEqual(events)
    expect(found[0]?.at).toBeLessThan(found.at(-1)?.at ?? 0)
  })

  test('reaches its client in words', async () => {
    const capture = await captureCall(pair, {
      format: 'generate-content',
      ...calls['generate-content'](modelOf.messages),
      path: `/v1beta/models/${modelOf.messages}:streamGenerateContent`,
      model: modelOf.messages,
      upstream: 'messages',
      replies: [{ chunks: recorded('messages', 'text-stream') }],
    })
    const answer = capture.client.answer
    expect(answer && Buffer.concat([...answer.body.chunks]).toString()).toMatch(/^\[/)
    const view = viewStream(capture, 0)
    const words = (list: typeof view.client) => list.map(({ text }) => text).join('')
    expect(words(view.client)).toBe(words(view.upstream))
    expect(view.links.length).toBeGreaterThan(2)
  })

  test('items may hold brackets, commas and escapes in texts, and lists', () => {
    const items = new ArrayItems()
    const source = ' [ {"a":"},]\\"["} ,[1,[2]], "x,y" , 3 ]'
    expect([...source].flatMap((one) => items.push(one))).toEqual([
      '{"a":"},]\\"["}',
      '[1,[2]]',
      '"x,y"',
      '3',
    ])
  })
})

describe('a stream that went wrong', () => {
  test('that was cut shows the events that came, and of the last one what came of it', async () => {
    const bytes = Buffer.concat(recorded('messages', 'text-stream'))
    const cut = bytes.subarray(0, bytes.indexOf('content_block_stop') + 30)
    const capture = await captured('chat', 'messages', [bytes])
    const answer = capture.exchanges[0]?.answer
    if (!answer) throw new Error('no answer')
    const half = { ...answer, body: { chunks: [cut], times: [1], size: cut.length }, isCut: true }
    const exchanges = [{ ...(capture.exchanges[0] as (typeof capture.exchanges)[0]), answer: half }]
    const view = viewStream({ ...capture, exchanges }, 0)
    expect(view.upstream.length).toBeLessThan(eventsOf(answer).length)
    expect(view.upstream.at(-1)).toMatchObject({ event: 'content_block_stop', data: '{"typ' })
    expect(view.upstream.some(({ text }) => text !== '')).toBe(true)
    expect(view.links.length).toBeGreaterThan(0)
  })

  test('that holds no JSON is listed without words', () => {
    const body = Buffer.from(
      'data: {"choices":[{"delta":{"content":"A"}}]}\n\ndata: oops\n\ndata: {}\n\n',
    )
    const answer = {
      at: 0,
      status: 200,
      headers: [],
      body: { chunks: [body], times: [], size: body.length },
      endedAt: 1,
      isCut: false,
    }
    const request = { at: 0, method: 'POST', url: '/', headers: [], body: answer.body }
    const base = { channelId: 1, channelName: 'a', model: 'b', format: 'chat', connectedAt: null }
    const view = viewStream(
      {
        id: 'one',
        receivedAt: 0,
        userId: 1,
        tokenId: 1,
        format: 'chat',
        model: 'b',
        client: { request, answer: null },
        exchanges: [{ ...base, request, answer, failure: null }],
        source: 'memory',
      },
      0,
    )
    expect(view.upstream.map(({ data, text }) => [data, text])).toEqual([
      ['{"choices":[{"delta":{"content":"A"}}]}', 'A'],
      ['oops', ''],
      ['{}', ''],
    ])
    expect(view).toMatchObject({ client: [], links: [] })
  })

  test('a vendor’s error within a stream is read as an error', async () => {
    const chunks = [readFixture('openai-responses/error-stream.chunks.txt')]
      .flatMap((bytes) => bytes.toString().trim().split('\n'))
      .map((line) => Buffer.from(`event: ${JSON.parse(line).type}\ndata: ${line}\n\n`))
    const capture = await captured('responses', 'responses', chunks)
    const { output } = readConversation(capture)
    const [error] = output.filter(({ role }) => role === 'error')
    expect(error?.text.length).toBeGreaterThan(5)
    expect(viewStream(capture, 0).upstream.map(({ text }) => text)).toContain(error?.text)
  })
})
