import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { modelOf, type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'
import { readStream, smallStreams } from '../../../support/upstreams/small-streams.ts'

let pair: Pair

beforeEach(async () => {
  pair = await startPair()
  pair.addChannelOf('responses', { settings: { endpoint_types: ['openai-response'] } })
})
afterEach(() => pair.close())

const streamOf = (format: WireFormat, text = 'ok') =>
  smallStreams[format].begin + smallStreams[format].text(text) + smallStreams[format].end

type ClientFormat = 'chat' | 'messages' | 'responses'
const paths: Readonly<Record<ClientFormat, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
}

function ask(client: ClientFormat, model: string, more: object = {}): Promise<Whole> {
  const turns = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 50 }
  const body = { model, ...(client === 'responses' ? { input: 'Hi' } : turns), ...more }
  return pair.send(paths[client], { body, headers: { 'anthropic-version': '2023-06-01' } })
}
const otherOf = (answer: Whole) => JSON.parse(pair.rowsOf(answer)[0]?.other ?? '{}')
type Failed = { error: { message: string; type: string; code: string } }

describe('a channel that fails before its first byte', () => {
  beforeEach(() => {
    pair.addChannelOf('messages', { models: ['both'], priority: 5 })
    pair.addChannelOf('generate-content', { models: ['both'], priority: 1 })
  })

  test.each([
    ['refuses', { status: 500, body: { error: { message: 'No.' } } }],
    ['breaks the connection', { ending: 'reset-before-headers' as const }],
    ['says so in its first event', { chunks: [smallStreams.messages.error] }],
    ['sends what cannot be read', { chunks: ['data: {"broken\n\n'] }],
    ['cuts its whole answer', { body: '{"content":[{"type":"te' }],
  ])('%s: another in a third format takes over', async (_, reply) => {
    pair.upstream.script(reply, { chunks: [streamOf('generate-content')] })
    const answer = await ask('chat', 'both', { stream: true })
    expect(readStream('chat', answer.text)).toMatchObject({ text: 'ok', ending: 'whole' })
    expect(pair.rowsOf(answer)).toMatchObject([{ promptTokens: 10, completionTokens: 20 }])
    expect(otherOf(answer)).toMatchObject({ upstream_format: 'generate-content' })
  })

  test('its words are told, not that the next could not have held the call', async () => {
    pair.addChannelOf('chat', { models: ['busy'], priority: 5 })
    pair.addChannelOf('messages', { models: ['busy'] })
    pair.upstream.script({ status: 503, body: { error: { message: 'Busy.' } } })
    const answer = await ask('chat', 'busy', { n: 2 })
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('Busy.')
  })
})

describe('an answer of Chat’s without a choice is none', () => {
  const usage = { prompt_tokens: 4241, completion_tokens: 0, total_tokens: 4241 }
  const empty = { id: 'c1', object: 'chat.completion', model: 'm', choices: [], usage }
  const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`
  // As Azure begins every stream.
  const filters = event({ id: '', model: '', choices: [], prompt_filter_results: [] })
  const emptyStream = { chunks: [filters, event(empty), 'data: [DONE]\n\n'] }

  test.each([
    ['whole', { body: empty }, false],
    ['a stream', emptyStream, true],
    ['a stream in one piece', { chunks: [emptyStream.chunks.join('')] }, true],
    ['a stream for who asked for none', emptyStream, false],
    ['a stream that just ends', { chunks: [event(empty)] }, true],
  ])('%s: another channel takes over, and is booked alone', async (_, reply, stream) => {
    pair.addChannelOf('chat', { models: ['odd'], priority: 5 })
    pair.addChannelOf('chat', { models: ['odd'], priority: 1 })
    const good = {
      ...empty,
      choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
    }
    pair.upstream.script(reply, stream ? { chunks: [streamOf('chat')] } : { body: good })
    const answer = await ask('messages', 'odd', stream ? { stream } : {})
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('"text":"ok"')
    expect(pair.rowsOf(answer)).toMatchObject([{ promptTokens: 10, completionTokens: 20 }])
  })

  test.each([
    ['whole', { body: empty }, false],
    ['a stream', emptyStream, true],
  ])('%s of the only channel: the client is told, and nothing booked', async (_, reply, stream) => {
    pair.gateway.set({ RetryTimes: 0 })
    pair.upstream.script(reply)
    const answer = await ask('messages', modelOf.chat, { stream })
    expect(answer.status).toBe(502)
    expect(answer.json<Failed>().error.message).toContain('The upstream’s answer has no choices.')
    expect(pair.rowsOf(answer)).toMatchObject([{ quota: 0 }])
  })
})

describe('a whole answer', () => {
  test.each(['chat', 'generate-content', 'responses'] as const)(
    'of %s that is cut or odd is the vendor’s fault',
    async (upstream) => {
      pair.gateway.set({ RetryTimes: 0 })
      const headers = { 'content-type': 'application/json' }
      const bodies = [
        '{"choices":[{"mess',
        '{"candidates":[{"con',
        '{"output":[{"ty',
        '{"choices":[null],"candidates":[null],"output":[null]}',
        'null',
      ]
      for (const body of bodies) {
        pair.upstream.script({ body, headers })
        const { status } = await ask('messages', modelOf[upstream])
        expect([200, 502]).toContain(status)
        if (!body.includes('[null]')) expect(status).toBe(502)
      }
    },
  )

  test('without usage is booked by an estimate', async () => {
    pair.upstream.script({ body: { content: [{ type: 'text', text: 'Hello there.' }] } })
    const answer = await ask('chat', modelOf.messages)
    expect(otherOf(answer)).toMatchObject({ estimated: true })
    const [row] = pair.rowsOf(answer)
    expect(row?.promptTokens).toBeGreaterThan(0)
    expect(row?.completionTokens).toBeGreaterThan(2)
  })

  test('that comes as a stream, with a failure in it, is that failure', async () => {
    pair.gateway.set({ RetryTimes: 0 })
    const error = (type: string) =>
      `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"So."}}\n\n`
    const begun = smallStreams.messages.begin
    pair.upstream.script({ chunks: [begun + error('overloaded_error')] })
    expect((await ask('chat', modelOf.messages)).status).toBe(503)
    // The channel's key is not the client's.
    pair.upstream.script({ chunks: [begun + error('authentication_error')] })
    expect((await ask('chat', modelOf.messages)).status).toBe(502)
  })
})

describe('a failure inside a stream', () => {
  const told = (type: string) =>
    `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"So."}}\n\n`

  test('as its first event has the status that the client’s family knows', async () => {
    pair.gateway.set({ RetryTimes: 0 })
    pair.upstream.script({ chunks: [told('overloaded_error')] })
    expect((await ask('chat', modelOf.messages, { stream: true })).status).toBe(503)
    const busy = '{"error":{"code":503,"status":"UNAVAILABLE","message":"So."}}'
    pair.upstream.script({ chunks: [`data: ${busy}\n\n`] })
    const answer = await ask('messages', modelOf['generate-content'], { stream: true })
    expect(answer.status).toBe(529)
    expect(answer.json<Failed>().error.type).toBe('overloaded_error')
  })

  test('that blames the call is a 400, and no other channel is asked in vain', async () => {
    pair.addChannelOf('generate-content', { name: 'spare' })
    const wrong = '{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"So."}}'
    pair.upstream.script({ chunks: [`data: ${wrong}\n\n`] })
    const answer = await ask('messages', modelOf['generate-content'], { stream: true })
    expect(answer.status).toBe(400)
    expect(answer.json<Failed>().error).toMatchObject({ type: 'invalid_request_error' })
    expect(pair.upstream.requests).toHaveLength(1)
  })

  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
  ])(
    'about the channel’s key (%i) does not look like one about the client’s',
    async (code, status) => {
      const refused = JSON.stringify({ error: { code, status, message: 'So.' } })
      const { begin } = smallStreams['generate-content']
      pair.upstream.script({ chunks: [begin, `data: ${refused}\n\n`], pause: 20 })
      const answer = await ask('messages', modelOf['generate-content'], { stream: true })
      expect(answer.text).toContain('"type":"api_error"')
      expect(answer.text).not.toMatch(/authentication_error|permission_error/)
    },
  )

  test('an answer too long to be held ends with one, in order and booked', async () => {
    const { begin, text, end } = smallStreams.chat
    const piece = text('lorem ipsum '.repeat(20_000))
    pair.upstream.script({ chunks: [begin, ...Array<string>(80).fill(piece), end] })
    const answer = await ask('responses', modelOf.chat, { stream: true, store: false })
    expect(readStream('responses', answer.text)).toMatchObject({ ending: 'failed' })
    expect(otherOf(answer)).toMatchObject({ error_code: 'upstream_invalid', estimated: true })
    expect(pair.rowsOf(answer)[0]?.completionTokens).toBeGreaterThan(1_000_000)
  })
})

describe('codes by which agents act', () => {
  test.each(['context_length_exceeded', 'insufficient_quota', 'rate_limit_exceeded'])(
    '%s reaches a Responses client from a chat vendor',
    async (code) => {
      pair.gateway.set({ RetryTimes: 0 })
      const error = { message: 'So.', type: 'x', code }
      pair.upstream.script({ status: 429, body: { error } })
      const answer = await ask('responses', modelOf.chat)
      expect(answer.json<Failed>().error.code).toBe(code)
      // Money that is used up does not come back by asking again.
      expect(answer.headers['x-should-retry']).toBe(String(code !== 'insufficient_quota'))
      const { begin } = smallStreams.chat
      const chunks = [begin, `data: ${JSON.stringify({ error })}\n\n`]
      pair.upstream.script({ chunks, pause: 20 })
      const { text } = await ask('responses', modelOf.chat, { stream: true })
      expect(text).toMatch(new RegExp(`event: response.failed\n.*"error":{"code":"${code}"`))
    },
  )

  test.each([
    ['messages', 400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum'],
    ['generate-content', 400, 'INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum.'],
  ] as const)(
    'a prompt too long for %s is one in OpenAI’s and Anthropic’s words',
    async (upstream, status, type, message) => {
      const body = {
        error: { type, message, ...(upstream === 'messages' ? {} : { status: type }) },
      }
      pair.upstream.script({ status, body })
      const answer = await ask('responses', modelOf[upstream])
      expect(answer.json<Failed>().error.code).toBe('context_length_exceeded')
      if (upstream === 'messages') return
      pair.upstream.script({ status, body })
      const told = (await ask('messages', modelOf[upstream])).json<Failed>().error.message
      expect(told).toBe(`prompt is too long: ${message}`)
    },
  )

  test('a limit of rates in another vendor’s words', async () => {
    pair.gateway.set({ RetryTimes: 0 })
    for (const type of ['rate_limit_error', 'RESOURCE_EXHAUSTED']) {
      pair.upstream.script({ status: 429, body: { error: { type, message: 'So.' } } })
      const answer = await ask('chat', modelOf.messages)
      expect(answer.json<Failed>().error.code).toBe('rate_limit_exceeded')
    }
  })
})

test('when to ask again is passed on, however the vendor says it', async () => {
  // Asked every time, whatever it said before.
  pair.gateway.set({ RetryTimes: 0, ChannelFailureCount: 0 })
  const body = { error: { message: 'Later.' } }
  const soon = new Date(Date.now() + 30_000).toUTCString()
  const refusal = async (headers: Record<string, string>, inBody: object = {}) => {
    pair.upstream.script({ status: 429, headers, body: { error: { ...body.error, ...inBody } } })
    return (await ask('messages', modelOf['generate-content'])).headers
  }
  expect(await refusal({ 'retry-after': '7' })).toMatchObject({ 'retry-after': '7' })
  expect(Number((await refusal({ 'retry-after': soon }))['retry-after'])).toBeGreaterThan(25)
  const inMilliseconds = await refusal({ 'retry-after-ms': '1500' })
  expect(inMilliseconds).toMatchObject({ 'retry-after': '2', 'retry-after-ms': '1500' })
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12.3s' }
  expect(await refusal({}, { details: [info] })).toMatchObject({ 'retry-after': '13' })
  expect(await refusal({ 'x-should-retry': 'false' })).toMatchObject({ 'x-should-retry': 'false' })
})

describe('going on from an answer by its id', () => {
  test('works across vendors, streamed or not, and only for the token that got it', async () => {
    const sent = () => pair.upstream.last().body.toString()
    for (const stream of [true, false]) {
      const next = async (upstream: WireFormat, input: string, previous?: string) => {
        const text = `answer to ${input}`
        const { begin, text: delta, end } = smallStreams[upstream]
        // The gateway reads a stream where it asked for a whole answer, too.
        pair.upstream.script({ chunks: [begin, delta(text), end] })
        const more = { input, stream, ...(previous ? { previous_response_id: previous } : {}) }
        const answer = await ask('responses', modelOf[upstream], more)
        expect(answer.status, answer.text).toBe(200)
        return /"id":"(resp_[^"]+)"/.exec(answer.text)?.[1] ?? ''
      }
      const first = await next('messages', 'one')
      const second = await next('chat', 'two', first)
      expect(sent()).toMatch(/one.*answer to one.*two/)
      await next('generate-content', 'three', second)
      expect(sent()).toMatch(/one.*answer to one.*two.*answer to two.*three/)
      // Not the last one: a conversation may be taken up again anywhere.
      await next('chat', 'other', first)
      expect(sent()).not.toContain('two')
      const stranger = await pair.send('/v1/responses', {
        body: { model: modelOf.chat, input: 'Hi', previous_response_id: first },
        headers: { authorization: `Bearer ${pair.gateway.addToken().full}` },
        withoutKey: true,
      })
      expect(stranger.status).toBe(400)
      expect(stranger.json<Failed>().error.code).toBe('previous_response_not_found')
    }
  })
})
