import { expect, test } from 'vitest'
import type {
  ExchangeRequest,
  Part,
  ToolDefinition,
  Turn,
} from '../../../../main/convert/exchange.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkMessages } from '../../../support/strict/requests/check-messages.ts'
import { chatRequest, type Encoded, encodeFor, type Fields } from './exchange-parts.ts'

/** The encoded request, once the strict Claude has accepted it. */
function sent(model: string, request: ExchangeRequest): Encoded {
  const encoded = encodeFor(model, request)
  checkMessages(encoded.body, { 'anthropic-version': '2023-06-01' }, new IssuedStates())
  return encoded
}

const opus = 'claude-opus-4-8'
const text = (value: string, fields: Partial<Part> = {}): Part =>
  ({ type: 'text', text: value, ...fields }) as Part
const user = (value: string): Turn => ({ role: 'user', parts: [text(value)] })
const assistant = (...parts: Part[]): Turn => ({ role: 'assistant', parts })
const call = (id: string | null, name = 'f', args = '{}'): Part => ({
  type: 'call',
  id,
  name,
  kind: 'function',
  arguments: args,
})
const result = (callId: string | null, ...parts: Part[]): Turn => ({
  role: 'tool',
  parts: [{ type: 'result', callId, name: null, kind: 'function', isError: false, parts } as Part],
})
const tool = (fields: Partial<ToolDefinition> = {}): ToolDefinition =>
  ({ type: 'function', name: 'f', schema: null, ...fields }) as ToolDefinition

const messagesOf = ({ body }: Encoded) => body.messages as { role: string; content: Fields[] }[]
const rolesOf = (encoded: Encoded) => messagesOf(encoded).map(({ role }) => role)
const typesOf = (encoded: Encoded) =>
  messagesOf(encoded).map(({ content }) => content.map(({ type }) => type).join(' '))

test('a first word of the assistant, neighbours and empty text are brought into order', () => {
  const encoded = sent(
    opus,
    chatRequest({
      turns: [
        { role: 'system', parts: [text('A'), text('')] },
        { role: 'system', parts: [text('B')] },
        assistant(text('Hi')),
        assistant(text('  '), text('there')),
        user('One'),
        { role: 'user', parts: [text(' '), text('Two')] },
      ],
    }),
  )
  expect(encoded.body.system).toEqual([
    { type: 'text', text: 'A' },
    { type: 'text', text: 'B' },
  ])
  expect(rolesOf(encoded)).toEqual(['user', 'assistant', 'user'])
  expect(typesOf(encoded)).toEqual(['text', 'text text', 'text text'])
  expect(encoded.losses).toEqual(['approximated messages'])
})

test('only a system prompt gets a turn of the user', () => {
  const turns: Turn[] = [{ role: 'system', parts: [text('Say hello.')] }]
  expect(typesOf(sent(opus, chatRequest({ turns })))).toEqual(['text'])
})

test('results stand directly behind their calls and before the text of their turn', () => {
  const encoded = sent(
    opus,
    chatRequest({
      tools: [tool()],
      turns: [
        user('Go'),
        assistant(text('Calling.'), call('a'), call('b')),
        user('By the way'),
        { role: 'system', parts: [text('Be quick.')] },
        result('b', text('2')),
        result('a', text('1')),
      ],
    }),
  )
  expect(messagesOf(encoded)[2]?.content).toMatchObject([
    { type: 'tool_result', tool_use_id: 'a', content: '1' },
    { type: 'tool_result', tool_use_id: 'b', content: '2' },
    { type: 'text', text: 'By the way' },
  ])
  expect(rolesOf(encoded)).toEqual(['user', 'assistant', 'user', 'system'])
})

test('a call without its result gets one that says so, and a failure says something', () => {
  const failed = result('b') as Turn & { parts: { isError: boolean }[] }
  for (const part of failed.parts) part.isError = true
  const encoded = sent(
    opus,
    chatRequest({ tools: [tool()], turns: [user('Go'), assistant(call('a'), call('b')), failed] }),
  )
  expect(messagesOf(encoded)[2]?.content).toMatchObject([
    { content: '[no result]', is_error: true },
    { content: '[no message]', is_error: true },
  ])
})

test('calls without ids, with odd ones and with the same one twice are told apart, always alike', () => {
  const turns = [
    user('Go'),
    assistant(call(null), call(null, 'g'), call('functions.f:0')),
    result(null, text('1')),
    result(null, text('2')),
    result('functions.f:0', text('3')),
    assistant(call('functions.f:0')),
    result('functions.f:0', text('4')),
  ]
  const request = chatRequest({ tools: [tool()], turns })
  const encoded = sent(opus, request)
  const blocks = messagesOf(encoded).flatMap(({ content }) => content)
  const uses = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  expect(new Set(uses).size).toBe(4)
  expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(uses)
  expect(results.map(({ content }) => content)).toEqual(['1', '2', '3', '4'])
  const longer = encodeFor(opus, { ...request, turns: [...turns, user('More')] })
  expect(messagesOf(longer)[1]).toEqual(messagesOf(encoded)[1])
})

test('later system text stays in place: as a turn of its own, or as a reminder', () => {
  const turns: Turn[] = [
    user('One'),
    {
      role: 'system',
      parts: [text('Be brief.', { at: 'messages[1].content' })],
      at: 'messages[1]',
    },
    user('Two'),
  ]
  expect(rolesOf(sent(opus, chatRequest({ turns })))).toEqual(['user', 'system', 'user'])
  const older = sent('claude-sonnet-4-5', chatRequest({ turns }))
  expect(messagesOf(older)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'One' },
        { type: 'text', text: '<system-reminder>\nBe brief.\n</system-reminder>' },
        { type: 'text', text: 'Two' },
      ],
    },
  ])
  expect(older.losses).toEqual(['approximated messages[1]'])
})

test('an empty turn of the user is refused by its path', () => {
  const turns: Turn[] = [{ role: 'user', parts: [text('', { at: 'messages[0].content' })] }]
  expect(() => encodeFor(opus, chatRequest({ turns }))).toThrow('messages[0].content')
})

test('a prefill is refused where the model has none, and loses its last blank elsewhere', () => {
  const turns: Turn[] = [user('Write JSON'), { ...assistant(text('{ ')), at: 'messages[1]' }]
  expect(() => encodeFor(opus, chatRequest({ turns }))).toThrow('messages[1]')
  const encoded = sent('claude-sonnet-4-5', chatRequest({ turns }))
  expect(messagesOf(encoded).at(-1)?.content).toEqual([{ type: 'text', text: '{' }])
})

test('an answer of the Responses format that broke off is asked to go on where a model has no prefill', () => {
  const turns: Turn[] = [user('Go'), { ...assistant(text('I list ')), at: 'input[1]' }]
  const encoded = sent(opus, chatRequest({ turns, origin: 'responses' }))
  expect(messagesOf(encoded).slice(1)).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'I list ' }] },
    {
      role: 'user',
      content: [{ type: 'text', text: 'Continue from exactly where you stopped.' }],
    },
  ])
  expect(encoded.losses).toEqual(['approximated input[1]'])
})

test('an answer that paused behind its own search goes on, also where the model has no prefill', () => {
  const value = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const search: Part = { type: 'hosted', tool: 'web-search', origin: 'messages', value }
  const encoded = encodeFor(opus, chatRequest({ turns: [user('Go'), assistant(search)] }))
  expect(messagesOf(encoded).at(-1)).toEqual({ role: 'assistant', content: [value] })
})

test('thoughts of other vendors and their server tools stay behind, and say so', () => {
  const state = { origin: 'responses', kind: 'encrypted', data: 'x', model: null } as const
  const encoded = sent(
    opus,
    chatRequest({
      turns: [
        user('Go'),
        assistant(
          { type: 'reasoning', sections: ['Hm'], form: 'raw', at: 'input[1]' },
          { type: 'reasoning', sections: [], form: 'raw', state, at: 'input[2]' },
          { type: 'hosted', tool: 'web-search', origin: 'responses', value: {}, at: 'input[3]' },
          { type: 'refusal', text: 'No.', at: 'input[4]' },
        ),
        user('Why?'),
      ],
    }),
  )
  expect(typesOf(encoded)).toEqual(['text', 'text', 'text'])
  expect(encoded.losses).toEqual([
    'dropped input[1]',
    'dropped input[2]',
    'dropped input[3]',
    'approximated input[4]',
  ])
})

const png = 'iVBORw0KGgoAAAA='
const image = (fields: Fields = {}): Part =>
  ({
    type: 'media',
    kind: 'image',
    source: { type: 'base64', mediaType: 'image/jpg', data: png },
    at: 'messages[0].content[0]',
    ...fields,
  }) as Part

test('images, documents and text files have their blocks, in results too', () => {
  const pdf = { type: 'base64', mediaType: 'application/pdf', data: 'JVBERi0xLjQ=' }
  const csv = { type: 'base64', mediaType: 'text/csv', data: Buffer.from('a,b').toString('base64') }
  const encoded = sent(
    opus,
    chatRequest({
      tools: [tool()],
      turns: [
        {
          role: 'user',
          parts: [
            image(),
            image({ source: { type: 'url', url: 'https://a.example/b.png', mediaType: null } }),
            image({ kind: 'document', source: pdf, filename: 'a.pdf' }),
            image({ kind: 'document', source: csv }),
          ],
        },
        assistant(call('a')),
        result('a', image()),
      ],
    }),
  )
  const [first, , last] = messagesOf(encoded)
  expect(first?.content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: pdf.data },
      title: 'a.pdf',
    },
    {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
      cache_control: { type: 'ephemeral' },
    },
  ])
  expect(last?.content[0]).toMatchObject({ content: [{ type: 'image' }] })
})

test('an image that the assistant made goes with the next turn of the user', () => {
  const turns = [user('Draw'), assistant(image({ at: 'messages[1].content[0]' })), user('Bluer')]
  const encoded = sent(opus, chatRequest({ turns }))
  expect(typesOf(encoded)).toEqual(['text text image text'])
  expect(encoded.losses).toEqual(['approximated messages[1].content[0]'])
})

test.each([
  [{ kind: 'audio' }],
  [{ kind: 'video' }],
  [{ source: { type: 'base64', mediaType: 'image/svg+xml', data: 'PHN2Zz4=' } }],
  [{ source: { type: 'file', id: 'file-1', origin: 'chat' } }],
  [{ source: { type: 'url', url: 'http://a.example/b.png', mediaType: null } }],
  [{ kind: 'document', source: { type: 'base64', mediaType: 'application/zip', data: 'UEsD' } }],
])('what no Claude model reads is refused by its path: %j', (fields) => {
  const turns: Turn[] = [{ role: 'user', parts: [image(fields)] }]
  expect(() => encodeFor(opus, chatRequest({ turns }))).toThrow('messages[0].content[0]')
})

test.each([
  [{ count: 2 }, 'n'],
  [{ logprobs: 3 }, 'logprobs'],
  [{ modalities: ['text', 'audio'] }, 'modalities'],
  [{ maxOutput: 0 }, 'max_completion_tokens'],
  [{ temperature: 3 }, 'temperature'],
] as const)('what would be missing in the answer is refused: %j', (fields, field) => {
  expect(() => encodeFor(opus, chatRequest(fields as Partial<ExchangeRequest>))).toThrow(
    `${field}:`,
  )
})

test('sampling follows the model: dropped, clamped, or only one of two', () => {
  const asked = chatRequest({ temperature: 1.4, topP: 0.5, topK: 5, stop: ['\n', 'END'], seed: 1 })
  const newer = sent(opus, asked)
  expect(newer.body).not.toHaveProperty('temperature')
  expect(newer.losses).toEqual([
    'dropped seed',
    'dropped temperature',
    'dropped top_p',
    'dropped topK',
    'approximated stop',
  ])
  expect(sent('claude-sonnet-4-5', asked).body).toMatchObject({
    temperature: 1,
    top_k: 5,
    stop_sequences: ['END'],
  })
  expect(sent('claude-3-5-sonnet-latest', asked).body).toMatchObject({ temperature: 1, top_p: 0.5 })
  const hottest = chatRequest({ temperature: 2, topP: 1 })
  expect(sent('claude-3-5-sonnet-latest', hottest).body).toMatchObject({ temperature: 1, top_p: 1 })
  const stop = Array.from({ length: 9000 }, (_, index) => `END ${index}`)
  expect(encodeFor(opus, chatRequest({ stop })).body.stop_sequences).toEqual(stop.slice(0, 8191))
})

test('the limit that the format wants is the model’s, and never more than that', () => {
  expect(sent('claude-sonnet-4-5', chatRequest()).body.max_tokens).toBe(64_000)
  expect(sent('claude-sonnet-4-5', chatRequest({ maxOutput: 999_999 })).body.max_tokens).toBe(
    64_000,
  )
  expect(sent('claude-sonnet-4-5', chatRequest({ maxOutput: 100 })).body.max_tokens).toBe(100)
})

test('a call that asks for speed gets it where Claude has it, and is answered elsewhere too', () => {
  const fast = chatRequest({ serviceTier: 'fast' })
  for (const model of ['claude-opus-5-5', 'claude-fable-5-2', 'anthropic/claude-mythos-5.2'])
    expect(sent(model, fast).body.speed).toBe('fast')
  for (const model of ['claude-opus-5', 'claude-sonnet-5-5', 'claude-haiku-4-5', 'deepseek-v4']) {
    const { body, losses } = sent(model, fast)
    expect(body.speed).toBeUndefined()
    expect(losses).toContain('dropped service_tier')
  }
})

test('the user of another format is hashed; tiers have their words', () => {
  const { body } = sent(opus, chatRequest({ user: 'jane@example.com', serviceTier: 'priority' }))
  expect((body.metadata as Fields).user_id).toMatch(/^[0-9a-f]{64}$/)
  expect(body.service_tier).toBe('auto')
  expect(sent(opus, chatRequest({ serviceTier: 'default' })).body.service_tier).toBe(
    'standard_only',
  )
  expect(sent(opus, chatRequest({ serviceTier: 'flex' })).losses).toEqual(['dropped service_tier'])
})
