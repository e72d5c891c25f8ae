import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { modelOf, type Pair, startPair, type Whole } from '../../../support/gateway/pair.ts'
import { type Client, formatOf, smallStreams } from '../../../support/upstreams/small-streams.ts'

type Fields = Record<string, unknown>

let pair: Pair

beforeAll(async () => {
  pair = await startPair()
  pair.addChannelOf('responses', { settings: { endpoint_types: ['openai-response'] } })
  const others = { endpoint_types: ['openai', 'embeddings'] }
  pair.addChannelOf('chat', { models: ['completing', 'embedding'], settings: others })
})
afterAll(() => pair.close())

const WORDS = 'The quick brown fox jumps over the lazy dog. '.repeat(20)

/** Names of the two counts in each format. */
const names: Readonly<Record<WireFormat, readonly [string, string]>> = {
  chat: ['prompt_tokens', 'completion_tokens'],
  messages: ['input_tokens', 'output_tokens'],
  'generate-content': ['promptTokenCount', 'candidatesTokenCount'],
  responses: ['input_tokens', 'output_tokens'],
}
const counts = (format: WireFormat, input: unknown, output: unknown): Fields => ({
  [names[format][0]]: input,
  [names[format][1]]: output,
})

/** A vendor's whole answer. */
function whole(format: WireFormat, text: string, usage: unknown): Fields {
  switch (format) {
    case 'chat': {
      const message = { role: 'assistant', content: text }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }
    }
    case 'messages': {
      const content = [{ type: 'text', text }]
      const head = { id: 'm', type: 'message', role: 'assistant', model: 'm' }
      return { ...head, content, stop_reason: 'end_turn', stop_sequence: null, usage }
    }
    case 'generate-content': {
      const content = { role: 'model', parts: [{ text }] }
      return { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata: usage }
    }
    case 'responses': {
      const content = [{ type: 'output_text', text, annotations: [] }]
      const item = { type: 'message', id: 'msg', role: 'assistant', status: 'completed', content }
      const head = { id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed' }
      return { ...head, output: [item], usage }
    }
  }
}

/** A vendor's stream, with this in the place of all its usage. */
function streamed(format: WireFormat, text: string, usage: unknown): string {
  const { begin, end, text: delta } = smallStreams[format]
  const events = begin + (text === '' ? '' : delta(text)) + end
  return events.replaceAll(
    /"(usage|usageMetadata)":\{[^{}]*\}/g,
    (_, name: string) => `"${name}":${JSON.stringify(usage)}`,
  )
}

/** As Google sends a stream without `alt=sse`. */
const asArray = (events: string) =>
  `[${[...events.matchAll(/^data: (.*)$/gm)].map(([, item]) => item).join(',\n')}]`

const turns = [{ role: 'user', content: 'Tell me something long.' }]

function send(client: Client, model: string, stream: boolean): Promise<Whole> {
  const headers = { 'anthropic-version': '2023-06-01' }
  const ask = (path: string, body: object) => pair.send(path, { body, headers })
  switch (client) {
    case 'chat': {
      const options = stream ? { stream_options: { include_usage: true } } : {}
      return ask('/v1/chat/completions', { model, stream, messages: turns, ...options })
    }
    case 'messages':
      return ask('/v1/messages', { model, stream, max_tokens: 5000, messages: turns })
    case 'responses':
      return ask('/v1/responses', { model, stream, store: false, input: 'Tell me.' })
    default: {
      const sse = client === 'generate-content' ? '?alt=sse' : ''
      const verb = stream ? `streamGenerateContent${sse}` : 'generateContent'
      const contents = [{ role: 'user', parts: [{ text: 'Tell me.' }] }]
      return ask(`/v1beta/models/${model}:${verb}`, { contents })
    }
  }
}

interface Case {
  client: Client
  upstream: WireFormat
  stream: boolean
}

/** The call's answer, and its one row. */
async function call({ client, upstream, stream }: Case, text: string, usage: unknown) {
  const events = streamed(upstream, text, usage)
  const isArray = stream && client === 'generate-content array' && client.startsWith(upstream)
  if (isArray) {
    const headers = { 'content-type': 'application/json' }
    pair.upstream.script({ chunks: [asArray(events)], headers })
  } else if (stream) pair.upstream.script({ chunks: [events] })
  else pair.upstream.script({ body: whole(upstream, text, usage) })
  const answer = await send(client, modelOf[upstream], stream)
  expect(answer.status, answer.text).toBe(200)
  const rows = pair.rowsOf(answer)
  expect(rows).toHaveLength(1)
  const row = rows[0]
  const { estimated } = JSON.parse(row?.other ?? '{}') as Fields
  expect(row?.isEstimated).toBe(estimated === true)
  return {
    booked: [row?.promptTokens ?? -1, row?.completionTokens ?? -1] as const,
    isEstimated: estimated === true,
    told: toldBy(formatOf(client), answer.text),
  }
}

/** What the client is told at last. */
function toldBy(format: WireFormat, body: string): number[] {
  const last = (name: string) =>
    Number([...body.matchAll(new RegExp(`"${name}":\\s*(\\d+)`, 'g'))].at(-1)?.[1] ?? 0)
  return names[format].map(last)
}

const clients: readonly Client[] = [
  ...(['chat', 'messages', 'generate-content', 'generate-content array', 'responses'] as const),
]
const upstreams: readonly WireFormat[] = ['chat', 'messages', 'generate-content', 'responses']
const cases: readonly Case[] = clients.flatMap((client) =>
  upstreams.flatMap((upstream) =>
    [false, true]
      .filter((stream) => stream || client !== 'generate-content array')
      .map((stream) => ({ client, upstream, stream })),
  ),
)

describe.each(cases)('a $client client on $upstream (stream: $stream)', (one) => {
  const { client, upstream } = one
  const isConverted = formatOf(client) !== upstream

  test.each<[string, unknown]>([
    ['is null', null],
    ['is empty', {}],
    ['counts nothing', counts(upstream, 0, 0)],
    ['has words for numbers', counts(upstream, 'many', 'some')],
    ['is below zero', counts(upstream, -5000, -7000)],
  ])('an answer whose usage %s is booked by an estimate', async (_, usage) => {
    const { booked, isEstimated, told } = await call(one, WORDS, usage)
    expect(isEstimated).toBe(true)
    expect(booked[0]).toBeGreaterThan(0)
    expect(booked[1]).toBeGreaterThan(100)
    if (isConverted) expect(told).toEqual(booked)
  })

  test('a usage that counts in quotes is booked as it says', async () => {
    const { booked, isEstimated, told } = await call(one, WORDS, counts(upstream, '5000', '7000'))
    expect({ booked, isEstimated }).toEqual({ booked: [5000, 7000], isEstimated: false })
    if (isConverted) expect(told).toEqual(booked)
  })

  test('an answer without words that counts nothing costs nothing', async () => {
    const { booked, isEstimated, told } = await call(one, '', counts(upstream, 0, 0))
    expect({ booked, isEstimated }).toEqual({ booked: [0, 0], isEstimated: false })
    if (isConverted && formatOf(client) !== 'generate-content') expect(told).toEqual([0, 0])
  })

  test('an answer of which only the prompt was counted isn’t estimated', async () => {
    const { booked, isEstimated } = await call(one, WORDS, counts(upstream, 5000, 0))
    expect({ booked, isEstimated }).toEqual({ booked: [5000, 0], isEstimated: false })
  })
})

describe.each([false, true])('what counts as a usage (stream: %s)', (stream) => {
  test('a chat vendor may name its counts as Responses does', async () => {
    for (const client of ['chat', 'messages'] as const) {
      const usage = { input_tokens: 5000, output_tokens: 7000 }
      const { booked, isEstimated } = await call({ client, upstream: 'chat', stream }, 'Hi', usage)
      expect({ booked, isEstimated }).toEqual({ booked: [5000, 7000], isEstimated: false })
    }
  })

  test('a prompt that came whole from the cache is no prompt of zero', async () => {
    for (const client of ['messages', 'chat'] as const) {
      const usage = { input_tokens: 0, cache_read_input_tokens: 900, output_tokens: 7 }
      const one = { client, upstream: 'messages', stream } as const
      const { booked, isEstimated } = await call(one, WORDS, usage)
      expect({ booked, isEstimated }).toEqual({ booked: [900, 7], isEstimated: false })
    }
  })

  test('a total alone isn’t taken for an answer that cost nothing', async () => {
    for (const client of ['chat', 'responses'] as const) {
      const one = { client, upstream: 'chat', stream } as const
      const { booked, isEstimated } = await call(one, WORDS, { total_tokens: 12_000 })
      expect(isEstimated).toBe(true)
      expect(booked[1]).toBeGreaterThan(100)
    }
  })
})

describe('a stream that begins with zeros', () => {
  test.each(['messages', 'chat'] as const)(
    'and tells its usage at the end is booked by that (%s client)',
    async (client) => {
      const events = streamed('messages', WORDS, counts('messages', 0, 0)).replace(
        /("stop_reason":"end_turn"\},"usage":)\{[^{}]*\}/,
        '$1{"input_tokens":5000,"output_tokens":7000}',
      )
      pair.upstream.script({ chunks: [events] })
      const answer = await send(client, modelOf.messages, true)
      const [row] = pair.rowsOf(answer)
      expect(row).toMatchObject({ promptTokens: 5000, completionTokens: 7000 })
      expect(JSON.parse(row?.other ?? '{}')).not.toHaveProperty('estimated')
    },
  )
})

describe('an answer without text', () => {
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
  const fn = { name: 'write', arguments: JSON.stringify({ text: WORDS }) }
  const call = { index: 0, id: 'call_1', type: 'function', function: fn }
  const others: readonly [string, Fields][] = [
    ['the call of a tool', { tool_calls: [call] }],
    ['reasoning', { reasoning_content: WORDS }],
  ]
  const found = others.flatMap(([name, fields]) =>
    (['chat', 'messages'] as const).flatMap((client) =>
      [false, true].map((stream) => ({ name, fields, client, stream })),
    ),
  )

  test.each(found)(
    'whose usage counts nothing is booked by an estimate of $name ($client client, stream: $stream)',
    async ({ fields, client, stream }) => {
      const said = { role: 'assistant', content: null, ...fields }
      const choice = { index: 0, finish_reason: 'stop' }
      const head = { id: 'c', created: 1, model: 'm' }
      if (stream) {
        const chunk = { ...head, object: 'chat.completion.chunk' }
        const events = [
          { ...chunk, choices: [{ ...choice, delta: said }] },
          { ...chunk, choices: [], usage: zeros },
        ]
        const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
        pair.upstream.script({ chunks: [`${text}data: [DONE]\n\n`] })
      } else {
        const choices = [{ ...choice, message: said }]
        pair.upstream.script({
          body: { ...head, object: 'chat.completion', choices, usage: zeros },
        })
      }
      const answer = await send(client, modelOf.chat, stream)
      const [row] = pair.rowsOf(answer)
      expect(row?.promptTokens).toBeGreaterThan(0)
      expect(row?.completionTokens).toBeGreaterThan(100)
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ estimated: true })
    },
  )
})

describe('a legacy completion', () => {
  const text = WORDS
  const usages = [{}, { prompt_tokens: 0, completion_tokens: 0 }, { total_tokens: 'many' }]
  test.each(usages.flatMap((usage) => [false, true].map((stream) => ({ usage, stream }))))(
    'whose usage is $usage is booked by an estimate (stream: $stream)',
    async ({ usage, stream }) => {
      const answer = {
        ...{ id: 'c', object: 'text_completion', created: 1, model: 'm' },
        choices: [{ index: 0, text, finish_reason: 'stop' }],
      }
      if (stream) {
        const chunks = [`data: ${JSON.stringify({ ...answer, usage })}\n\ndata: [DONE]\n\n`]
        pair.upstream.script({ chunks })
      } else pair.upstream.script({ body: { ...answer, usage } })
      const body = { model: 'completing', prompt: 'Tell me.', stream }
      const told = await pair.send('/v1/completions', { body })
      expect(told.status, told.text).toBe(200)
      const [row] = pair.rowsOf(told)
      expect(row?.promptTokens).toBeGreaterThan(0)
      expect(row?.completionTokens).toBeGreaterThan(100)
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ estimated: true })
    },
  )
})

test('a text that was only read is booked by what its vendor counted', async () => {
  const embedding = { object: 'embedding', index: 0, embedding: [0.5, 0.25] }
  for (const usage of [
    { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 },
    { prompt_tokens: '9', total_tokens: '9' },
  ]) {
    pair.upstream.script({ body: { object: 'list', model: 'm', data: [embedding], usage } })
    const body = { model: 'embedding', input: 'Some words' }
    const [row] = pair.rowsOf(await pair.send('/v1/embeddings', { body }))
    expect(row).toMatchObject({ promptTokens: 9, completionTokens: 0 })
    expect(JSON.parse(row?.other ?? '{}')).not.toHaveProperty('estimated')
  }
})

test.each([
  [':embedContent', { content: { parts: [{ text: WORDS }] } }, { embedding: { values: [0.5] } }],
  [
    ':batchEmbedContents',
    { requests: [{ content: { parts: [{ text: WORDS }] } }] },
    { embeddings: [{ values: [0.5] }] },
  ],
])('a text that Google read uncounted is booked by an estimate (%s)', async (verb, body, told) => {
  pair.upstream.script({ body: told })
  const model = modelOf['generate-content']
  const answer = await pair.send(`/v1beta/models/${model}${verb}`, { body })
  expect(answer.status, answer.text).toBe(200)
  const [row] = pair.rowsOf(answer)
  expect(row?.promptTokens).toBeGreaterThan(100)
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ estimated: true })
})
