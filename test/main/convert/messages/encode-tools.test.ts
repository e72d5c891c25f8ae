import { expect, test } from 'vitest'
import type {
  ExchangeRequest,
  ToolChoice,
  ToolDefinition,
} from '../../../../main/convert/exchange.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { IssuedStates } from '../../../support/strict/answers/issued-state.ts'
import { checkMessages } from '../../../support/strict/requests/check-messages.ts'
import { chatRequest, collected, decodeEvents, encodeFor, type Fields } from './exchange-parts.ts'

function sent(model: string, fields: Partial<ExchangeRequest>) {
  const encoded = encodeFor(model, chatRequest(fields))
  checkMessages(encoded.body, { 'anthropic-version': '2023-06-01' }, new IssuedStates())
  return encoded
}

const opus = 'claude-opus-4-8'
/** Takes no schema for its answer. */
const older = 'claude-sonnet-4-0'
const f: ToolDefinition = { type: 'function', name: 'f', schema: null }
const g: ToolDefinition = { type: 'function', name: 'g', schema: { type: 'object' }, strict: true }
const search: ToolDefinition = {
  type: 'hosted',
  tool: 'web-search',
  name: 'web_search',
  origin: 'responses',
  value: {
    type: 'web_search',
    filters: { allowed_domains: ['a.example'] },
    user_location: { type: 'approximate', city: 'Bern', country: 'CH' },
  },
  at: 'tools[0]',
}
const closed = (properties: Fields): Fields => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

test('only so many tools are strict as the vendor compiles', () => {
  const strictOf = (schema: Fields, count = 30) => {
    const tools = Array.from(
      { length: count },
      (_, index): ToolDefinition => ({
        type: 'function',
        name: `t${index}`,
        schema,
        strict: true,
        at: `tools[${index}]`,
      }),
    )
    const { body, losses } = sent(opus, { tools })
    const strict = (body.tools as Fields[]).filter((tool) => tool.strict === true)
    expect(losses.filter((loss) => loss.startsWith('approximated'))).toHaveLength(
      count - strict.length,
    )
    return strict.length
  }
  expect(strictOf(closed({ a: { type: 'string' } }))).toBe(20)
  const optional = { ...closed({ a: { type: 'string' }, b: { type: 'string' } }), required: [] }
  expect(strictOf(optional)).toBe(12)
  expect(strictOf(closed({ a: { type: ['string', 'null'] } }))).toBe(16)
})

const images: ToolDefinition = {
  type: 'hosted',
  tool: 'image-generation',
  name: 'image_generation',
  origin: 'responses',
  value: { type: 'image_generation' },
  at: 'tools[0]',
}

const mark = { cache_control: { type: 'ephemeral' } }

test('a tool without parameters has an empty object, a strict one a closed schema', () => {
  const { body } = sent(opus, { tools: [f, g] })
  expect(body.tools).toEqual([
    { name: 'f', input_schema: { type: 'object', properties: {} } },
    {
      name: 'g',
      input_schema: { type: 'object', properties: {}, additionalProperties: false },
      strict: true,
      ...mark,
    },
  ])
  expect(sent(older, { tools: [g] }).losses).toHaveLength(1)
})

test.each<[Partial<ExchangeRequest>, unknown]>([
  [{ toolChoice: { mode: 'auto' } }, { type: 'auto' }],
  [{ toolChoice: { mode: 'none' } }, { type: 'none' }],
  [{ toolChoice: { mode: 'required' } }, { type: 'any' }],
  [{ toolChoice: { mode: 'one', name: 'f', kind: 'function' } }, { type: 'tool', name: 'f' }],
  [{ parallelCalls: false }, { type: 'auto', disable_parallel_tool_use: true }],
  [
    { parallelCalls: false, toolChoice: { mode: 'required' } },
    { type: 'any', disable_parallel_tool_use: true },
  ],
  [{ parallelCalls: true }, undefined],
  [{}, undefined],
])('the choice %j is %j', (fields, choice) => {
  expect(sent(opus, { tools: [f], ...fields }).body.tool_choice).toEqual(choice)
})

test('of allowed tools only those go out; without tools there is no choice', () => {
  const toolChoice: ToolChoice = { mode: 'some', names: ['g'], isRequired: true }
  const { body, losses } = sent(opus, { tools: [f, g], toolChoice })
  expect(body.tools).toHaveLength(1)
  expect(body.tool_choice).toEqual({ type: 'any' })
  expect(losses).toEqual(['approximated tool_choice'])
  expect(sent(opus, { tools: [], toolChoice: { mode: 'auto' } }).body).not.toHaveProperty('tools')
})

test('a model that cannot be forced is left free, and the client told', () => {
  const { body, losses } = sent('claude-opus-5-5', { tools: [f], toolChoice: { mode: 'required' } })
  expect(body.tool_choice).toEqual({ type: 'auto' })
  expect(losses).toEqual(['approximated tool_choice'])
})

test('another vendor’s web search is this one’s; what has no equal is dropped, or refused if forced', () => {
  const { body } = sent(opus, {
    tools: [search],
    toolChoice: { mode: 'one', name: 'web_search_preview', kind: 'hosted' },
  })
  expect(body.tools).toEqual([
    {
      type: 'web_search_20250305',
      name: 'web_search',
      allowed_domains: ['a.example'],
      user_location: { type: 'approximate', city: 'Bern', country: 'CH' },
    },
  ])
  expect(body.tool_choice).toEqual({ type: 'tool', name: 'web_search' })
  expect(sent(opus, { tools: [images, f] }).losses).toEqual(['dropped tools[0]'])
  const forced = { mode: 'one', name: 'image_generation', kind: 'hosted' } as const
  expect(() => encodeFor(opus, chatRequest({ tools: [images, f], toolChoice: forced }))).toThrow(
    'tool_choice',
  )
  const any = { tools: [images], toolChoice: { mode: 'required' } } as const
  expect(() => encodeFor(opus, chatRequest({ ...any, tools: [images] }))).toThrow('tool_choice')
})

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 1 } },
  required: ['city'],
}
const output = { type: 'schema', schema, name: 'place' } as const

test('a schema for the answer is the output format, without what the vendor refuses', () => {
  const { body } = sent(opus, { output })
  expect((body.output_config as Fields).format).toMatchObject({
    type: 'json_schema',
    schema: { properties: { city: { type: 'string' } }, additionalProperties: false },
  })
})

test('an older model answers a schema by a call that reaches the client as text', () => {
  const { body } = sent(older, { output, reasoning: { effort: 'low' } })
  const [tool] = body.tools as Fields[]
  expect(body.tool_choice).toEqual({
    type: 'tool',
    name: tool?.name,
    disable_parallel_tool_use: true,
  })
  expect(body.thinking).toEqual({ type: 'disabled' })

  const message = {
    content: [{ type: 'tool_use', id: 't', name: tool?.name, input: { city: 'Bern' } }],
    stop_reason: 'tool_use',
  }
  const whole = messagesConversion.decodeResponse(message).choices[0]
  expect(whole).toMatchObject({
    parts: [{ type: 'text', text: '{"city":"Bern"}' }],
    stop: { reason: 'end' },
  })
  const streamed = collected(
    decodeEvents(
      { type: 'message_start', message: { id: 'm', model: older } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { ...message.content[0], input: {} },
      },
      delta('{"city":'),
      delta('"Bern"}'),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ),
  )
  expect(streamed.choices[0]).toMatchObject({
    parts: [{ type: 'text', text: '{"city":"Bern"}' }],
    stop: { reason: 'end' },
  })
})

const delta = (partial_json: string): Fields => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'input_json_delta', partial_json },
})

test('an answer that is a list travels inside an object, and comes out of it again', () => {
  const list = { type: 'array', items: { type: 'string' } }
  const { body } = sent(older, { output: { type: 'schema', schema: list } })
  const [tool] = body.tools as Fields[]
  expect(tool?.input_schema).toMatchObject({ properties: { answer: list }, required: ['answer'] })
  const parts = decodeEvents(
    { type: 'message_start', message: {} },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', name: tool?.name },
    },
    delta('{"answer":["a",'),
    delta('"b"]}'),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_stop' },
  )
  expect(parts.flatMap((part) => (part.type === 'text-delta' ? part.text : []))).toEqual([
    '["a","b"]',
  ])
})

test('beside other tools the answer’s tool is one of those that have to be called', () => {
  const { body } = sent(older, { output, tools: [f] })
  expect(body.tools).toHaveLength(2)
  expect(body.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true })
})

test('JSON without a schema is asked for in the system prompt', () => {
  const { body, losses } = sent(opus, { output: { type: 'json' } })
  expect(JSON.stringify(body.system)).toContain('one JSON object only')
  expect(losses).toEqual(['approximated response_format'])
})
