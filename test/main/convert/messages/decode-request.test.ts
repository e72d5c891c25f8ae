import { expect, test } from 'vitest'
import { GatewayError } from '../../../../main/base/errors.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { parseExact, stringifyExact } from '../../../../main/convert/json/exact-json.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { messagesConversion } from '../../../../main/convert/messages/conversion.ts'
import { markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { encodeFor, type Fields, targetOf } from './exchange-parts.ts'

const session = { 'x-claude-code-session-id': 'b6a7c1de-0000-4000-8000-000000000001' }

const billing = {
  type: 'text',
  text: 'x-anthropic-billing-header: cc_version=2.1.190.abc; cc_entrypoint=cli;',
}

/** A body as Claude Code sends it in the middle of its work. */
const claudeCode = (): Fields => ({
  model: 'claude-opus-4-8',
  max_tokens: 32_000,
  stream: true,
  system: [
    billing,
    { type: 'text', text: 'You are Claude Code.' },
    { type: 'text', text: 'Rules.', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'high', task_budget: { type: 'tokens', total: 50_000 } },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: '{"device_id":"d","account_uuid":"a","session_id":"s"}' },
  tools: [
    { name: 'Read', description: 'Reads', input_schema: { type: 'object', properties: {} } },
    {
      name: 'mcp__jira__search',
      description: 'Searches',
      input_schema: { type: 'object', properties: { q: { type: 'string' } } },
      defer_loading: true,
      strict: true,
    },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Look at the picture.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I should read it.', signature: 'Eq8BCkYI' },
        { type: 'redacted_thinking', data: 'EmwKAhgB' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a.png' } },
        { type: 'tool_use', id: 'toolu_2', name: 'ToolSearch', input: { query: 'jira' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgoAAAA=' },
            },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          content: [{ type: 'tool_reference', tool_name: 'mcp__jira__search' }],
        },
        { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
      ],
    },
    { role: 'system', content: 'The user opened a.ts.' },
  ],
})

const decode = (body: Fields, headers: Fields = {}): ExchangeRequest =>
  messagesConversion.decodeRequest(body, headers)

test('a body of Claude Code goes back to Anthropic as it came, billing header first', () => {
  const body = claudeCode()
  const loss = new Loss(messagesConversion.fieldNames)
  const encoded = messagesConversion.encodeRequest(decode(body, session), {
    ...targetOf('claude-opus-4-8'),
    loss,
  })
  const messages = body.messages as Fields[]
  const system = messages.at(-1) as Fields
  system.content = [{ type: 'text', text: system.content }]
  expect(encoded).toEqual(body)
  expect(loss.entries).toEqual([])
})

test('of a body of Claude Code another vendor sees no billing header, and all the rest', () => {
  const request = decode(claudeCode(), session)
  expect(request.turns.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'user',
    'system',
  ])
  expect(stringifyExact(request.turns)).not.toContain('billing')
  expect(request).toMatchObject({
    reasoning: { mode: 'adaptive', effort: 'high', isShown: true },
    cacheKey: session['x-claude-code-session-id'],
    maxOutput: 32_000,
    stream: true,
  })
  const [first, second] = request.turns[3]?.parts ?? []
  expect(first).toMatchObject({
    type: 'result',
    callId: 'toolu_1',
    at: 'messages[2].content[0]',
    parts: [{ type: 'media', kind: 'image', at: 'messages[2].content[0].content[0]' }],
  })
  expect(second).toMatchObject({ parts: [{ text: 'The tool mcp__jira__search is available.' }] })
  const loss = new Loss(messagesConversion.fieldNames)
  loss.native(request.native, 'chat')
  expect(loss.entries.map(({ path }) => path).sort()).toEqual([
    'context_management',
    'output_config.task_budget',
    'system[0]',
  ])
})

test('thoughts of another vendor come back as that vendor’s, unmarked', () => {
  const state = {
    origin: 'responses',
    kind: 'encrypted',
    data: 'gAAAAA',
    model: 'gpt-5.6',
    id: 'rs_1',
  } as const
  const own = { type: 'thinking', thinking: '', signature: 'EqMB' }
  const marked = { type: 'thinking', thinking: 'Hm.', signature: markState(state) }
  const mute = { ...state, origin: 'chat', kind: 'signature', data: '' } as const
  const unsigned = { type: 'thinking', thinking: 'So.', signature: markState(mute) }
  const { turns } = decode({
    model: 'm',
    max_tokens: 1,
    messages: [{ role: 'assistant', content: [own, marked, unsigned] }],
  })
  expect(turns[0]?.parts.map((part) => 'state' in part && part.state)).toEqual([
    { origin: 'messages', kind: 'signature', data: 'EqMB', model: null },
    state,
    false,
  ])
})

test('numbers in a call’s input keep every digit', () => {
  const text =
    '{"model":"m","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":12345678901234567890,"x":1.0}}]}]}'
  const { turns } = decode(parseExact(text) as Fields)
  expect(turns[0]?.parts[0]).toMatchObject({ arguments: '{"id":12345678901234567890,"x":1}' })
})

test('a tool choice, the old name of the output format and the tiers are understood', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const request = decode({
    model: 'm',
    max_tokens: 0,
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
    tool_choice: { type: 'tool', name: 'web_search', disable_parallel_tool_use: true },
    output_format: { type: 'json_schema', schema },
    service_tier: 'standard_only',
    stop_sequences: ['END'],
    top_k: 3,
  })
  expect(request).toMatchObject({
    maxOutput: 0,
    toolChoice: { mode: 'one', name: 'web_search', kind: 'hosted' },
    parallelCalls: false,
    output: { type: 'schema', schema },
    serviceTier: 'default',
    stop: ['END'],
    topK: 3,
  })
  expect(decode({ model: 'm', messages: [], speed: 'fast' }).serviceTier).toBe('fast')
})

test('a service tier beside the fast mode, of which one field goes on, is told of where it is lost', () => {
  const { serviceTier, native } = decode({
    ...{ model: 'm', messages: [], speed: 'fast', service_tier: 'standard_only' },
  })
  expect(serviceTier).toBe('fast')
  expect(native?.fields).toEqual({ service_tier: 'standard_only' })
})

test('no tools, null fields and results without content are all right', () => {
  const request = decode({
    model: 'm',
    max_tokens: 5,
    tools: [],
    stream: null,
    temperature: null,
    system: null,
    messages: [
      { role: 'user', content: null },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    ],
  })
  expect(request.tools).toEqual([])
  expect(request.native).toBeUndefined()
  expect(request.turns[1]?.parts[0]).toMatchObject({ type: 'result', parts: [], isError: false })
})

test.each([
  [{ messages: [] }, 'model'],
  [{ model: 'm' }, 'messages'],
  [{ model: 'm', messages: [{ role: 'tool', content: '' }] }, 'messages[0].role'],
  [{ model: 'm', messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
  [{ model: 'm', messages: [{ role: 'user', content: ['x'] }] }, 'messages[0].content[0]'],
  [{ model: 'm', messages: [], tools: [{}] }, 'tools[0].name'],
  [{ model: 'm', messages: [], tool_choice: { type: 'some' } }, 'tool_choice.type'],
  [{ model: 'm', messages: [], max_tokens: 'x' }, 'max_tokens'],
  [{ model: 'm', messages: [], stop_sequences: 'x' }, 'stop_sequences'],
])('what cannot be understood is named by its path: %j', (body, field) => {
  try {
    decode(body as Fields)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError)
    expect((error as GatewayError).field).toBe(field)
  }
})

test.each([
  [{ mcp_servers: [{ type: 'url', url: 'https://x' }] }, 'mcp_servers'],
  [{ container: 'container_1' }, 'container'],
  [
    { messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 'c' }] }] },
    'messages[0].content[0]',
  ],
])('what only Anthropic can read does not go elsewhere: %j', (fields, field) => {
  const request = decode({ model: 'm', messages: [], ...fields } as Fields)
  const loss = new Loss(messagesConversion.fieldNames)
  expect(() => messagesConversion.refuseForeign?.(request, loss)).toThrow(field)
})

test('a search result, an uploaded file and a document of blocks go back whole', () => {
  const content = [
    {
      type: 'search_result',
      source: 'https://a.example',
      title: 'A',
      content: [{ type: 'text', text: 'Found.' }],
      citations: { enabled: true },
    },
    { type: 'container_upload', file_id: 'file_1' },
    {
      type: 'document',
      title: 'Notes',
      source: { type: 'content', content: [{ type: 'text', text: 'One.' }] },
      citations: { enabled: true },
    },
    { type: 'future_block', value: 1 },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Two.' } },
  ]
  const request = decode({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
  expect(request.turns[0]?.parts[0]).toMatchObject({ text: 'A\nhttps://a.example\n\nFound.' })
  expect(request.turns[0]?.parts.at(-1)).toMatchObject({
    ...{ type: 'media', kind: 'document' },
    source: { type: 'text', text: 'Two.', mediaType: 'text/plain' },
  })
  expect(encodeFor('claude-opus-4-8', request).body.messages).toEqual([{ role: 'user', content }])
})
