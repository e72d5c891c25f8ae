import { describe, expect, test } from 'vitest'
import type { Turn } from '../../../../main/convert/exchange.ts'
import { encode, fieldAtFault, type Json, text, turn } from './strictly-encoded.ts'

const strictSchema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}

describe('tools', () => {
  test('are flat, and strict only where their schema is', () => {
    const { body } = encode({
      tools: [
        { type: 'function', name: 'f', description: 'F', schema: strictSchema, strict: true },
        { type: 'function', name: 'g', schema: { type: 'object', properties: {} }, strict: true },
        { type: 'function', name: 'h', schema: strictSchema },
        { type: 'function', name: 'i', schema: null },
      ],
      toolChoice: { mode: 'one', name: 'f', kind: 'function' },
      parallelCalls: false,
    })
    expect(body.tools).toMatchObject([
      { type: 'function', name: 'f', description: 'F', strict: true },
      { name: 'g', strict: false },
      { name: 'h', strict: false },
      { name: 'i', strict: false, parameters: { type: 'object', properties: {} } },
    ])
    expect(body.tool_choice).toEqual({ type: 'function', name: 'f' })
    expect(body.parallel_tool_calls).toBe(false)
  })

  test('of vendors say which of their settings are lost', () => {
    const { losses } = encode({
      tools: [
        {
          type: 'hosted',
          tool: 'web-search',
          name: 'web_search_20250305',
          origin: 'messages',
          value: {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 2,
            allowed_domains: ['a.example'],
            blocked_domains: [],
          },
          at: 'tools[0]',
        },
      ],
    })
    expect(losses).toEqual(['dropped tools[0].max_uses'])
  })

  test('have lists with items, and no field that the model refuses', () => {
    const list = { type: 'object', properties: { a: { type: 'array' } } }
    const { body } = encode({
      tools: [{ type: 'function', name: 'f', schema: list }],
      parallelCalls: true,
    })
    expect(body.tools).toMatchObject([{ parameters: { properties: { a: { items: {} } } } }])
    expect(body).not.toHaveProperty('parallel_tool_calls')
  })

  test('of vendors are this vendor’s equals, or left out, or refused when demanded', () => {
    const search = {
      type: 'hosted',
      tool: 'web-search',
      name: 'web_search_20250305',
      origin: 'messages',
      value: {
        type: 'web_search_20250305',
        name: 'web_search',
        allowed_domains: ['a.example'],
        user_location: { type: 'approximate', city: 'Bern' },
      },
      at: 'tools[0]',
    } as const
    const code = {
      type: 'hosted',
      tool: 'code-execution',
      name: 'codeExecution',
      origin: 'generate-content',
      value: { codeExecution: {} },
    } as const
    const fetch = { ...search, tool: 'web-fetch', name: 'web_fetch', value: {} } as const
    const demanded = { mode: 'one', name: 'web_search', kind: 'hosted' } as const
    const { body } = encode({ tools: [search, code], toolChoice: demanded })
    expect(body.tools).toEqual([
      {
        type: 'web_search',
        filters: { allowed_domains: ['a.example'] },
        user_location: { type: 'approximate', city: 'Bern' },
      },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ])
    expect(body.tool_choice).toEqual({ type: 'web_search' })
    expect(encode({ tools: [fetch] }).losses).toEqual(['dropped tools[0]'])
    const choice = { mode: 'one', name: 'web_fetch', kind: 'hosted' } as const
    expect(fieldAtFault(() => encode({ tools: [fetch], toolChoice: choice }))).toBe('toolChoice')
  })

  test('a choice of some of them, and none to choose from', () => {
    const tools = [
      { type: 'function', name: 'f', schema: null } as const,
      { type: 'freeform', name: 'p', grammar: null } as const,
    ]
    const some = { mode: 'some', names: ['f', 'p'], isRequired: true } as const
    expect(encode({ tools, toolChoice: { ...some, names: ['f', 'p'] } }).body.tool_choice).toEqual({
      type: 'allowed_tools',
      mode: 'required',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'custom', name: 'p' },
      ],
    })
    expect(encode({ toolChoice: { mode: 'auto' }, parallelCalls: true }).body).not.toHaveProperty(
      'tool_choice',
    )
  })

  test.each([
    ['the model thinks of itself', undefined, 'auto'],
    ['an effort is asked for', { effort: 'high' }, 'auto'],
    ['no effort is asked for', { effort: 'none' }, 'required'],
    ['thinking is switched off', { mode: 'off' }, 'required'],
  ] as const)(
    'where the model takes it only unthinking, a call is demanded when %s: %j',
    (_, reasoning, choice) => {
      const { body } = encode(
        {
          tools: [{ type: 'function', name: 'f', schema: null }],
          toolChoice: { mode: 'required' },
          ...(reasoning && { reasoning }),
        },
        { rules: { forcedTool: 'without-thinking' } },
      )
      expect(body.tool_choice).toBe(choice)
    },
  )
})

describe('settings', () => {
  test('nothing is stored, and thoughts come encrypted from models that think', () => {
    expect(encode({}).body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    expect(encode({}, { model: 'gpt-4o' }).body).not.toHaveProperty('include')
  })

  test('what the format lacks is dropped or refused by its name', () => {
    const { losses } = encode({ topK: 4, stop: ['X'], seed: 1, presencePenalty: 1, count: 1 })
    expect(losses).toEqual(
      ['topK', 'stop', 'seed', 'presencePenalty'].map((one) => `dropped ${one}`),
    )
    expect(fieldAtFault(() => encode({ count: 2 }))).toBe('count')
    expect(fieldAtFault(() => encode({ modalities: ['audio'] }))).toBe('modalities')
    expect(fieldAtFault(() => encode({ logprobs: 2 }))).toBe('logprobs')
    expect(fieldAtFault(() => encode({ temperature: 3 }))).toBe('temperature')
    expect(encode({ logprobs: 2 }, { model: 'gpt-4o' }).body).toMatchObject({
      top_logprobs: 2,
      include: ['message.output_text.logprobs'],
    })
  })

  test('sampling goes only to models that take it', () => {
    expect(encode({ temperature: 0.5, topP: 0.9 }).losses).toHaveLength(2)
    expect(encode({ temperature: 0.5, topP: 0.9 }, { model: 'gpt-4o' }).body).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
    })
  })

  test('a limit below 16 becomes 16', () => {
    const { body, losses } = encode({ maxOutput: 1 })
    expect(body.max_output_tokens).toBe(16)
    expect(losses).toEqual(['approximated maxOutput'])
  })

  test('a person is told by a hash, and so is a long key', () => {
    const { body } = encode({ user: 'user_abc_account__session_1', cacheKey: 'k'.repeat(80) })
    expect(body.safety_identifier).toMatch(/^[0-9a-f]{64}$/)
    expect(body.prompt_cache_key).toMatch(/^[0-9a-f]{64}$/)
    expect(encode({ user: 'u' }).body.prompt_cache_key).toMatch(/^[0-9a-f]{64}$/)
    expect(encode({ origin: 'chat', cacheKey: 'mine' }).body.prompt_cache_key).toBe('mine')
  })

  test.each([
    [{ effort: 'high' }, { effort: 'high' }],
    [{ effort: 'minimal' }, { effort: 'low' }],
    [{ mode: 'off' }, { effort: 'none' }],
    [{ budget: 1024 }, { effort: 'low' }],
    [
      { budget: 8000, isShown: true },
      { effort: 'medium', summary: 'auto' },
    ],
    [{ budget: 32000 }, { effort: 'high' }],
    [{ budget: 'dynamic' }, undefined],
    [{ mode: 'adaptive', isShown: true }, { summary: 'auto' }],
  ] as const)('thinking as %j', (reasoning, expected) => {
    expect(encode({ reasoning }).body.reasoning).toEqual(expected)
  })

  test('a model that does not think is not told to', () => {
    const { body, losses } = encode(
      { reasoning: { effort: 'high', isShown: true } },
      { model: 'gpt-4o' },
    )
    expect(body).not.toHaveProperty('reasoning')
    expect(losses).toEqual(['dropped reasoning'])
  })

  test('tiers by their nearest', () => {
    expect(encode({ serviceTier: 'standard_only' }).body.service_tier).toBe('default')
    expect(encode({ serviceTier: 'flex' }).body.service_tier).toBe('flex')
    expect(encode({ serviceTier: 'turbo' }).losses).toEqual(['dropped serviceTier'])
  })

  test('an answer’s form: a schema, strict where it can be, or JSON with its word in the input', () => {
    const schema = { type: 'schema', schema: strictSchema, name: 'My answer' } as const
    const format = (encode({ output: schema }).body.text as Json).format as Json
    expect(format).toMatchObject({ type: 'json_schema', schema: strictSchema, strict: true })
    expect(format.name).toMatch(/^[a-zA-Z0-9_-]+$/)
    const loose = { ...schema, schema: { type: 'object' } }
    expect((encode({ output: loose }).body.text as Json).format).toMatchObject({ strict: false })
    const { body, input } = encode({ output: { type: 'json' }, verbosity: 'low' })
    expect(body.text).toEqual({ format: { type: 'json_object' }, verbosity: 'low' })
    expect(JSON.stringify(input[0])).toContain('JSON')
  })
})

test('of many cache marks the last four are sent', () => {
  const marked = (index: number) => ({
    ...turn('user', { ...text(`${index}`), cacheMark: { ttl: null } }),
  })
  const { input } = encode({ origin: 'chat', turns: [1, 2, 3, 4, 5, 6].map(marked) })
  const marks = JSON.stringify(input).match(/prompt_cache_breakpoint/g)
  expect(marks).toHaveLength(4)
  expect(JSON.stringify(input.slice(0, 2))).not.toContain('prompt_cache_breakpoint')
})

test('an answer in JSON is asked for in words where only the system prompt says so: the vendor reads the input', () => {
  const asked = (...turns: Turn[]) =>
    JSON.stringify(encode({ origin: 'chat', output: { type: 'json' }, turns }).input)
  const hi = turn('user', text('Hi'))
  expect(asked(turn('system', text('Answer in JSON.')), hi)).toContain('one JSON object only')
  expect(asked(turn('user', text('Hi, in JSON please.')))).not.toContain('one JSON object only')
})
