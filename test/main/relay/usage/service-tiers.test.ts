import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pair, startPair } from '../../../support/gateway/pair.ts'

let pair: Pair

const channels = {
  chat: ['gpt-5.5', 'gpt-5.3-codex'],
  responses: ['gpt-5.4', 'gpt-6-astra'],
  messages: ['claude-opus-5-5'],
  'generate-content': ['gemini-2.5-pro'],
} as const

beforeAll(async () => {
  pair = await startPair({ empty: true })
  for (const format of ['chat', 'messages', 'generate-content'] as const)
    pair.addChannelOf(format, { models: [...channels[format]] })
  const settings = { endpoint_types: ['openai-response'] }
  pair.addChannelOf('responses', { models: [...channels.responses], settings })
})
afterAll(() => pair.close())

type Fields = Record<string, unknown>

const events = (...lines: [name: string, data: Fields][]) =>
  lines.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
const data = (...lines: Fields[]) => lines.map((line) => `data: ${JSON.stringify(line)}\n\n`)

/** What each vendor answers whose service tier is this, whole and as a stream: 1000 tokens in, 100 out. */
const answers = {
  chat(model: string, tier: Fields) {
    const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
    const head = { id: 'c', created: 1, model, ...tier }
    const message = { role: 'assistant', content: 'Hi.' }
    const chunk = { ...head, object: 'chat.completion.chunk' }
    const choice = { index: 0, finish_reason: 'stop' }
    return {
      whole: { ...head, object: 'chat.completion', choices: [{ ...choice, message }], usage },
      stream: [
        ...data({ ...chunk, choices: [{ ...choice, delta: message }] }),
        ...data({ ...chunk, choices: [], usage }),
        'data: [DONE]\n\n',
      ],
    }
  },
  responses(model: string, tier: Fields) {
    const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 }
    const content = [{ type: 'output_text', text: 'Hi.', annotations: [] }]
    const item = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content }
    const head = { id: 'r', object: 'response', created_at: 1, model, ...tier }
    const whole = { ...head, status: 'completed', output: [item], usage }
    const begun = { ...head, status: 'in_progress', output: [], usage: null }
    const done = { output_index: 0, item }
    return {
      whole,
      stream: events(
        ['response.created', { type: 'response.created', response: begun }],
        ['response.output_item.done', { type: 'response.output_item.done', ...done }],
        ['response.completed', { type: 'response.completed', response: whole }],
      ),
    }
  },
  messages(model: string, tier: Fields) {
    const usage = { input_tokens: 1000, output_tokens: 100, ...tier }
    const head = { id: 'm', type: 'message', role: 'assistant', model, stop_sequence: null }
    const block = { type: 'text', text: 'Hi.' }
    const message = {
      ...head,
      content: [],
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    }
    return {
      whole: { ...head, content: [block], stop_reason: 'end_turn', usage },
      stream: events(
        ['message_start', { type: 'message_start', message }],
        ['content_block_start', { type: 'content_block_start', index: 0, content_block: block }],
        ['content_block_stop', { type: 'content_block_stop', index: 0 }],
        [
          'message_delta',
          {
            ...{ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
            usage: { output_tokens: 100 },
          },
        ],
        ['message_stop', { type: 'message_stop' }],
      ),
    }
  },
  'generate-content'(_model: string, tier: Fields) {
    const content = { role: 'model', parts: [{ text: 'Hi.' }] }
    const usageMetadata = {
      ...{ promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100 },
      ...tier,
    }
    const whole = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }
    return { whole, stream: data(whole) }
  },
}

/** A call by a client of Chat or of the vendor's own format; gives its booked row. */
async function booked(
  format: keyof typeof answers,
  model: string,
  tier: Fields,
  { isStream, isOwn }: { isStream: boolean; isOwn: boolean },
) {
  const { whole, stream } = answers[format](model, tier)
  pair.upstream.script(isStream ? { chunks: stream } : { body: whole })
  const turns = { model, stream: isStream, messages: [{ role: 'user', content: 'Hi' }] }
  const verb = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  const own = {
    chat: [
      '/v1/chat/completions',
      { ...turns, stream_options: isStream ? { include_usage: true } : undefined },
    ],
    responses: ['/v1/responses', { model, stream: isStream, input: 'Hi', store: false }],
    messages: ['/v1/messages', { ...turns, max_tokens: 100 }],
    'generate-content': [
      `/v1beta/models/${model}:${verb}`,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    ],
  } as const
  const [path, body] = own[isOwn ? format : 'chat']
  const told = await pair.send(path, { body, headers: { 'anthropic-version': '2023-06-01' } })
  expect(told.status, told.text).toBe(200)
  const [row] = pair.rowsOf(told)
  return { quota: row?.quota, other: JSON.parse(row?.other ?? '{}') as Fields }
}

const cases = [
  ['chat', 'gpt-5.5', { service_tier: 'priority' }, 'priority', 2.5],
  ['chat', 'gpt-5.5', { service_tier: 'fast' }, 'fast', 2.5],
  ['chat', 'gpt-5.5', { service_tier: 'flex' }, 'flex', 0.5],
  ['responses', 'gpt-5.4', { service_tier: 'priority' }, 'priority', 2],
  ['responses', 'gpt-6-astra', { service_tier: 'ultrafast' }, 'ultrafast', 6],
  ['messages', 'claude-opus-5-5', { speed: 'fast', service_tier: 'standard' }, 'fast', 2],
  ['generate-content', 'gemini-2.5-pro', { serviceTier: 'FLEX' }, 'flex', 0.5],
  // Vertex's words.
  ['generate-content', 'gemini-2.5-pro', { trafficType: 'ON_DEMAND_FLEX' }, 'flex', 0.5],
] as const

const ways = [false, true].flatMap((isStream) =>
  [true, false].map((isOwn) => ({ isStream, isOwn })),
)

test.each(cases)('%s: %s answered as %o costs what its tier does', async (...one) => {
  const [format, model, tier, name, factor] = one
  for (const way of ways) {
    const plain = await booked(format, model, {}, way)
    expect(plain.other.service_tier).toBeUndefined()
    const tiered = await booked(format, model, tier, way)
    expect(tiered.quota).toBe(Math.round(Number(plain.quota) * factor))
    expect(tiered.other).toMatchObject({ service_tier: name, service_tier_factor: factor })
  }
})

test.each([
  ['default', {}],
  ['auto', {}],
  ['scale', {}],
  ['on_demand', {}],
  // A tier without a known price: charged as the standard one, which its row tells.
  ['ultrafast', { service_tier: 'ultrafast', service_tier_factor: null }],
])('a tier with no known price (%s) costs what the standard one does', async (word, facts) => {
  const way = { isStream: false, isOwn: true }
  const plain = await booked('chat', 'gpt-5.5', {}, way)
  const tiered = await booked('chat', 'gpt-5.5', { service_tier: word }, way)
  expect(tiered.quota).toBe(plain.quota)
  const { service_tier, service_tier_factor } = tiered.other
  expect(JSON.parse(JSON.stringify({ service_tier, service_tier_factor }))).toEqual(facts)
})

test('capacity that was bought ahead at Anthropic has no price of its own', async () => {
  const way = { isStream: false, isOwn: true }
  const { other } = await booked('messages', 'claude-opus-5-5', { service_tier: 'priority' }, way)
  expect(other.service_tier).toBeUndefined()
})
