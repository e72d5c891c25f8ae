import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { modelOf, type Pair, startPair } from '../../../support/gateway/pair.ts'
import type { Reply } from '../../../support/upstreams/scripted-upstream.ts'
import {
  type Client,
  formatOf,
  readStream,
  smallStreams,
} from '../../../support/upstreams/small-streams.ts'

let pair: Pair

/** The format in which the vendor is asked. */
const upstreamOf = (url: string): WireFormat =>
  upstreams.find((format) => url.includes(paths[format])) ?? 'chat'
const paths: Readonly<Record<WireFormat, string>> = {
  chat: '/chat/completions',
  messages: '/messages',
  'generate-content': ':streamGenerateContent',
  responses: '/responses',
}
/** The vendor's answer when nothing is scripted: calls may then run side by side. */
let slow: (format: WireFormat) => Reply

beforeAll(async () => {
  pair = await startPair({ handler: ({ url }) => slow(upstreamOf(url)) })
  pair.addChannelOf('responses', { settings: { endpoint_types: ['openai-response'] } })
})
beforeEach(() =>
  pair.gateway.set({ StreamKeepAliveSeconds: 15, UpstreamIdleSeconds: 300, RetryTimes: 0 }),
)
afterAll(() => pair.close())

const clients: readonly Client[] = [
  'chat',
  'messages',
  'generate-content',
  'generate-content array',
  'responses',
]
const upstreams: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const pairs = clients.flatMap((client) =>
  upstreams.filter((one) => one !== formatOf(client)).map((upstream) => ({ client, upstream })),
)

const turns = [{ role: 'user', content: 'Hi' }]

/** A client's call; the vendor sends `reply`, or its own answer if that is null. */
function send(client: Client, model: string, reply: Reply | null, signal?: AbortSignal) {
  if (reply) pair.upstream.script(reply)
  const headers = { 'anthropic-version': '2023-06-01' }
  const ask = (path: string, body: object) =>
    pair.send(path, { body, headers, ...(signal ? { signal } : {}) })
  switch (client) {
    case 'chat':
      return ask('/v1/chat/completions', { model, stream: true, messages: turns })
    case 'messages':
      return ask('/v1/messages', { model, stream: true, max_tokens: 50, messages: turns })
    case 'responses':
      return ask('/v1/responses', { model, stream: true, store: false, input: 'Hi' })
    default: {
      const query = client === 'generate-content' ? '?alt=sse' : ''
      const path = `/v1beta/models/${model}:streamGenerateContent${query}`
      return ask(path, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })
    }
  }
}

const BROKEN = 'data: {"broken\n\n'

describe.each(pairs)('a $client client on $upstream', ({ client, upstream }) => {
  const stream = smallStreams[upstream]
  const begun = stream.begin + stream.text('Hel') + stream.text('lo 日本')
  const whole = begun + stream.end
  const call = (reply: Reply) => send(client, modelOf[upstream], reply)
  /** The call's answer as its client reads it, and its one row. */
  async function read(reply: Reply) {
    const answer = await call(reply)
    expect(answer.status, answer.text).toBe(200)
    const rows = pair.rowsOf(answer)
    expect(rows).toHaveLength(1)
    const other = JSON.parse(rows[0]?.other ?? '{}') as Record<string, unknown>
    return { ...readStream(client, answer.text), row: rows[0], other }
  }

  test('gets all of a stream, however it is cut, and is booked with what the vendor says', async () => {
    for (const cutSeed of [1, 2]) {
      const { row, other, ...told } = await read({ chunks: [whole], cutSeed })
      expect(told).toEqual({ text: 'Hello 日本', ending: 'whole', error: '' })
      expect(row).toMatchObject({ promptTokens: 10, completionTokens: 20, status: 200 })
      expect(other.estimated).toBeUndefined()
    }
  })

  test('is told of an event that cannot be read, behind all that came before it', async () => {
    const told = await read({ chunks: [begun + BROKEN + stream.end] })
    expect(told).toMatchObject({ text: 'Hello 日本', ending: 'failed' })
    expect(told.other).toMatchObject({ error_code: 'upstream_invalid', estimated: true })
  })

  test('is told of a stream that ends too early, inside an event or without its blank line', async () => {
    for (const end of [`${begun}data: {"half`, begun.trimEnd()]) {
      const told = await read({ chunks: [end] })
      expect(told).toMatchObject({ text: 'Hello 日本', ending: 'failed' })
      expect(told.other).toMatchObject({ error_code: 'upstream_cut' })
    }
  })

  test('need not wait for a vendor that goes on after its error, or after its end', async () => {
    const failed = await read({ chunks: [begun + stream.error], ending: 'hang' })
    expect(failed).toMatchObject({ text: 'Hello 日本', ending: 'failed' })
    expect(failed.error).toContain('It broke down.')
    expect(failed.row).toMatchObject({ content: 'It broke down.' })
    // Google's format has no last event.
    if (upstream === 'generate-content') return
    const { ending } = await read({ chunks: [whole], ending: 'hang' })
    expect(ending).toBe('whole')
  })

  test('is refused where the first event cannot be read, and the gateway lives on', async () => {
    const answer = await call({ chunks: [': wait\n\n', BROKEN], pause: 30, ending: 'hang' })
    expect(answer.status).toBe(502)
    expect(await pair.upstream.last().ended).toBe('gone')
  })

  test('gets an answer that is over at once, and one that is not labelled as events', async () => {
    const headers = { 'content-type': 'application/octet-stream' }
    for (const reply of [{ body: whole, headers }, { chunks: [whole.trimEnd()] }]) {
      expect(await read(reply)).toMatchObject({ text: 'Hello 日本', ending: 'whole' })
    }
  })

  test('is booked by an estimate where the vendor tells no usage', async () => {
    const silent = whole.replaceAll(/,?"(usage|usageMetadata)":\{[^{}]*\}/g, '')
    const { ending, row, other } = await read({ chunks: [silent] })
    expect(ending).toBe('whole')
    expect(other).toMatchObject({ estimated: true })
    expect(row?.promptTokens).toBeGreaterThan(0)
    expect(row?.completionTokens).toBeGreaterThan(0)
  })

  test('that leaves ends the vendor’s call within 100 ms and is booked as gone', async () => {
    // A busy machine may be late by itself: one quick try is enough.
    let quickest = Infinity
    for (let tries = 0; tries < 20 && quickest >= 100; tries++) {
      const leaving = new AbortController()
      const asked = pair.upstream.requests.length
      const row = await pair.rowAfter(async () => {
        const reply: Reply = { chunks: [begun], ending: 'hang' }
        const gone = send(client, modelOf[upstream], reply, leaving.signal)
        await vi.waitUntil(() => pair.upstream.requests.length > asked, 30_000)
        await new Promise((resolve) => setTimeout(resolve, 150))
        const left = performance.now()
        leaving.abort()
        await expect(gone).rejects.toThrow()
        expect(await pair.upstream.last().ended).toBe('gone')
        quickest = Math.min(quickest, performance.now() - left)
      })
      expect(row).toMatchObject({ status: 499 })
      expect(row.completionTokens).toBeGreaterThan(0)
    }
    expect(quickest).toBeLessThan(100)
  })
})

const begun = (format: WireFormat) =>
  smallStreams[format].begin + smallStreams[format].text('Hello')

/** All pairs at once. */
async function forAll(
  check: (client: Client, answer: Awaited<ReturnType<typeof send>>) => void,
): Promise<void> {
  const ask = async ({ client, upstream }: (typeof pairs)[number]) =>
    check(client, await send(client, modelOf[upstream], null))
  await Promise.all(pairs.map(ask))
}

test('each client is kept awake before and between events, in its own way', async () => {
  pair.gateway.set({ StreamKeepAliveSeconds: 1 })
  slow = (format) => ({
    chunks: [': wait\n\n', begun(format), smallStreams[format].end],
    pause: 1900,
  })
  const signs: Readonly<Record<Client, RegExp>> = {
    chat: /^: keep-alive\n\n[\s\S]*data[\s\S]*\n: keep-alive\n\n/,
    messages: /^event: ping\n[\s\S]*Hello[\s\S]*event: ping\n/,
    'generate-content': /^: keep-alive\n\n[\s\S]*Hello[\s\S]*\n: keep-alive\n\n/,
    // All that may stand between the items of a JSON array.
    'generate-content array': /^\n+\[[\s\S]*Hello[\s\S]*\}\n+,/,
    responses: /^: keep-alive\n\n[\s\S]*Hello[\s\S]*\n: keep-alive\n\n/,
  }
  await forAll((client, answer) => {
    expect(answer.text, client).toMatch(signs[client])
    expect(readStream(client, answer.text)).toMatchObject({ text: 'Hello', ending: 'whole' })
  })
})

test('a Gemini client sees that its stream begins before the arguments of its first tool call are whole', async () => {
  pair.gateway.set({ StreamKeepAliveSeconds: 0 })
  let say = () => {}
  const rest = new Promise<void>((resolve) => {
    say = resolve
  })
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`
  const piece = (call: object) => chunk({ delta: { tool_calls: [{ index: 0, ...call }] } })
  pair.upstream.script({
    chunks: [
      piece({ id: 'call', function: { name: 'weather', arguments: '{"city":' } }),
      piece({ function: { arguments: '"Rome"}' } }) +
        chunk({ delta: {}, finish_reason: 'tool_calls' }) +
        'data: [DONE]\n\n',
    ],
    until: rest,
  })
  const path = `/v1beta/models/${modelOf.chat}:streamGenerateContent?alt=sse`
  const answer = await fetch(pair.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    signal: AbortSignal.timeout(20_000),
  })
  expect(answer.status).toBe(200)
  say()
  expect(await answer.text()).toContain('"args":{"city":"Rome"}')
})

test('each client is told when the vendor falls silent, and the vendor is let go', async () => {
  pair.gateway.set({ UpstreamIdleSeconds: 2, StreamKeepAliveSeconds: 1 })
  slow = (format) => ({ chunks: [begun(format)], ending: 'hang' })
  const before = pair.upstream.requests.length
  await forAll((client, answer) => {
    expect(readStream(client, answer.text)).toMatchObject({ text: 'Hello', ending: 'failed' })
    const [row] = pair.rowsOf(answer)
    const other = { error_code: 'upstream_timeout', estimated: true }
    expect(JSON.parse(row?.other ?? '')).toMatchObject(other)
  })
  const endings = pair.upstream.requests.slice(before).map(({ ended }) => ended)
  expect(new Set(await Promise.all(endings))).toEqual(new Set(['gone']))
})
