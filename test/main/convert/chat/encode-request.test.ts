import { describe, expect, test } from 'vitest'
import type { ExchangeRequest, Part } from '../../../../main/convert/exchange.ts'
import { callPart, encode, type Json, resultPart, turn } from './small-exchange.ts'

const refusalOf = (fields: Partial<ExchangeRequest>, model?: string) => () => encode(fields, model)

describe('limits and sampling', () => {
  const sampling = {
    temperature: 0.7,
    topP: 0.9,
    topK: 40,
    seed: 3,
    stop: ['a', 'b', 'c', 'd', 'e'],
    presencePenalty: 1,
  }

  test('a reasoning model gets none of what it refuses', () => {
    const { body, losses } = encode({ ...sampling, maxOutput: 500 }, 'gpt-5.4')
    expect(body).toMatchObject({ max_completion_tokens: 500 })
    for (const field of [
      'max_tokens',
      'temperature',
      'top_p',
      'top_k',
      'stop',
      'presence_penalty',
    ]) {
      expect(body).not.toHaveProperty(field)
    }
    for (const name of ['temperature', 'topP', 'topK', 'stop', 'presencePenalty']) {
      expect(losses).toContain(`dropped ${name}`)
    }
  })

  test('a compatible vendor gets them, with four stop sequences at most', () => {
    const { body, losses } = encode({ ...sampling, maxOutput: 32_000 }, 'qwen3-max')
    expect(body).toMatchObject({
      max_tokens: 32_000,
      temperature: 0.7,
      top_p: 0.9,
      stop: ['a', 'b', 'c', 'd'],
    })
    expect(losses).toContain('approximated stop')
  })

  test('a limit above the model’s own is lowered, none at all is refused', () => {
    expect(encode({ maxOutput: 32_000 }, 'gpt-4o').body.max_tokens).toBe(16_384)
    expect(refusalOf({ maxOutput: 0 })).toThrow('at least 1')
  })

  test('usage is asked for of every stream, unless the vendor refuses that', () => {
    expect(encode({ stream: true }).body.stream_options).toEqual({ include_usage: true })
    expect(encode({ stream: true }, 'deepseek-v4', { streamUsage: false }).body).not.toHaveProperty(
      'stream_options',
    )
    expect(encode({}).body).not.toHaveProperty('stream_options')
  })
})

describe('effort', () => {
  test.each([
    ['gpt-5.4', { budget: 1024 }, 'low'],
    ['gpt-5.4', { budget: 8000 }, 'medium'],
    ['gpt-5.4', { budget: 20_000 }, 'high'],
    ['gpt-5.4', { budget: 60_000 }, 'high'],
    ['gpt-5.4', { mode: 'off' }, 'none'],
    ['gpt-5.4', { effort: 'max' }, 'xhigh'],
    ['gpt-5', { mode: 'off' }, 'minimal'],
    ['gpt-5', { effort: 'xhigh' }, 'high'],
    ['gpt-5.4', { effort: 'minimal' }, 'low'],
    ['gpt-5.4', { mode: 'adaptive' }, undefined],
    ['gpt-5.4', { budget: 'dynamic' }, undefined],
    ['gpt-5.4', { mode: 'adaptive', effort: 'high' }, 'high'],
    ['deepseek-v4', { effort: 'medium' }, 'low'],
    ['gpt-4o', { effort: 'high' }, undefined],
  ] as const)('%s: %j is sent as %s', (model, reasoning, expected) => {
    expect(encode({ reasoning }, model).body.reasoning_effort).toBe(expected)
  })
})

describe('effort beside functions', () => {
  const tools = [
    { type: 'function', name: 'get', schema: { type: 'object', properties: {} } },
  ] as const
  const sent = (model: string, reasoning?: ExchangeRequest['reasoning']) =>
    encode({ tools: [...tools], ...(reasoning ? { reasoning } : {}) }, model)

  test('is none, and said, where the model takes no other', () => {
    for (const reasoning of [undefined, { effort: 'high' }, { mode: 'adaptive' }] as const) {
      const { body, losses } = sent('gpt-5.6-sol', reasoning)
      expect(body.reasoning_effort).toBe('none')
      expect(losses).toContain('approximated reasoning')
    }
    expect(sent('gpt-5.6-sol', { mode: 'off' }).losses).toBe('')
    expect(encode({ reasoning: { effort: 'high' } }, 'gpt-5.6-sol').body.reasoning_effort).toBe(
      'high',
    )
  })

  test('is left out where the model takes none', () => {
    const { body, losses } = sent('gpt-5.4', { effort: 'high' })
    expect(body).not.toHaveProperty('reasoning_effort')
    expect(losses).toContain('dropped reasoning')
    expect(sent('gpt-5.4').losses).toBe('')
  })
})

test('a temperature that no vendor takes is refused by its name', () => {
  expect(refusalOf({ temperature: 2.5 }, 'qwen3-max')).toThrow('temperature: must be')
  expect(refusalOf({ topP: 1.5 }, 'gpt-5.4')).toThrow('topP: must be')
})

describe('tools', () => {
  const tool = (name: string, rest: Json = {}) =>
    ({
      type: 'function',
      name,
      schema: { type: 'object', properties: {} },
      ...rest,
    }) as ExchangeRequest['tools'][number]
  const open = { type: 'object', properties: { a: { type: 'string' } } }
  const search = {
    type: 'hosted',
    tool: 'web-search',
    name: 'web_search_20250305',
    origin: 'messages',
    value: { name: 'web_search', user_location: { type: 'approximate', city: 'Bonn' } },
    at: 'tools[0]',
  } as const

  test('OpenAI gets lists with items and no union at the top of their schemas', () => {
    const schema = {
      properties: { items: { type: 'array' }, any: { anyOf: [{ type: ['array', 'null'] }] } },
      oneOf: [{ required: ['items'] }, { required: ['any'] }],
    }
    const others = [tool('bare', { schema: { type: 'object' } }), tool('none', { schema: null })]
    const { body } = encode({ tools: [tool('get', { schema }), ...others] })
    const [get, ...bare] = body.tools as { function: { parameters: Json } }[]
    expect(get?.function.parameters).toMatchObject({
      type: 'object',
      properties: {
        items: { type: 'array', items: {} },
        any: { anyOf: [{ type: ['array', 'null'], items: {} }] },
      },
    })
    expect(get?.function.parameters).not.toHaveProperty('oneOf')
    const none = { function: { parameters: { type: 'object', properties: {} } } }
    expect(bare).toMatchObject([none, none])
  })

  test('OpenAI gets items for a list within the entries of another list too', () => {
    const entry = { type: 'object', properties: { tags: { type: 'array' } } }
    const schema = { type: 'object', properties: { files: { type: 'array', items: entry } } }
    const { body } = encode({ tools: [tool('get', { schema })] })
    expect(body.tools).toMatchObject([
      {
        function: {
          parameters: {
            properties: {
              files: {
                items: {
                  properties: { tags: { type: 'array', items: {} } },
                },
              },
            },
          },
        },
      },
    ])
  })

  test('and for a list at a fixed place of another', () => {
    const pair = { type: 'array', items: {}, prefixItems: [{ type: 'array' }] }
    const schema = { type: 'object', properties: { pair } }
    const { body } = encode({ tools: [tool('get', { schema })] })
    expect(body.tools).toMatchObject([
      {
        function: {
          parameters: { properties: { pair: { prefixItems: [{ type: 'array', items: {} }] } } },
        },
      },
    ])
  })

  test('a model without parallel_tool_calls is not sent it', () => {
    const { body, losses } = encode({ tools: [tool('get')], parallelCalls: false }, 'o3')
    expect(body).not.toHaveProperty('parallel_tool_calls')
    expect(losses).toContain('dropped parallelCalls')
    expect(encode({ tools: [tool('get')], parallelCalls: true }, 'o3').losses).toBe('')
  })

  test('what steers them is sent only beside tools', () => {
    const steering = { toolChoice: { mode: 'auto' }, parallelCalls: false } as const
    expect(Object.keys(encode(steering).body)).not.toContain('tool_choice')
    expect(encode({ ...steering, tools: [tool('get')] }).body).toMatchObject({
      tool_choice: 'auto',
      parallel_tool_calls: false,
    })
  })

  test('strict is said only where the schema allows it', () => {
    const strictOf = (rest: Json, fields: Partial<ExchangeRequest> = {}) => {
      const [one] = encode({ tools: [tool('get', rest)], ...fields }, 'gpt-5.4').body.tools as {
        function: Json
      }[]
      return one?.function.strict
    }
    const closed = { ...open, required: ['a'], additionalProperties: false }
    expect(strictOf({ schema: closed, strict: true })).toBe(true)
    expect(strictOf({ schema: open, strict: true })).toBe(false)
    expect(strictOf({ schema: open })).toBeUndefined()
    expect(strictOf({ schema: closed }, { origin: 'responses' })).toBe(true)
  })

  test('some of them: OpenAI is told which, others get only those', () => {
    const fields: Partial<ExchangeRequest> = {
      tools: [tool('get'), tool('put')],
      toolChoice: { mode: 'some', names: ['get'], isRequired: true },
    }
    expect(encode(fields, 'gpt-5.4').body.tool_choice).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'get' } }] },
    })
    const { body, losses } = encode(fields, 'qwen3-max')
    expect(body).toMatchObject({ tool_choice: 'required', tools: [{ function: { name: 'get' } }] })
    expect(body.tools).toHaveLength(1)
    expect(losses).toContain('approximated toolChoice')
  })

  test('a call is not forced on a model that refuses it', () => {
    const { body, losses } = encode(
      { tools: [tool('get')], toolChoice: { mode: 'required' } },
      'glm-5',
    )
    expect(body.tool_choice).toBe('auto')
    expect(losses).toContain('approximated toolChoice')
  })

  test('web search goes where it exists; elsewhere it is left out, or refused when it is forced', () => {
    expect(encode({ tools: [search] }, 'gpt-4o-search-preview').body.web_search_options).toEqual({
      user_location: { type: 'approximate', approximate: { city: 'Bonn' } },
    })
    const nowhere = { ...search, value: { name: 'web_search' } }
    expect(
      encode({ tools: [nowhere] }, 'gpt-4o-search-preview').body.web_search_options,
    ).toStrictEqual({})
    const { body, losses } = encode({ tools: [search] })
    expect(Object.keys(body)).not.toContain('tools')
    expect(losses).toBe('dropped tools[0]')
    const toolChoice = { mode: 'one', name: 'web_search', kind: 'hosted' } as const
    expect(refusalOf({ tools: [search], toolChoice })).toThrow('toolChoice')
  })
})

describe('the answer’s shape', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  }

  test('a schema is held to, as in the format it came from', () => {
    expect(
      encode({ output: { type: 'schema', schema, name: 'my answer' } }, 'gpt-5.4').body
        .response_format,
    ).toEqual({
      type: 'json_schema',
      json_schema: { name: expect.stringMatching(/^my_answer_\w+$/), schema, strict: true },
    })
  })

  test('a model without schemas is asked in words', () => {
    const { body, messages, losses } = encode({ output: { type: 'schema', schema } }, 'deepseek-v4')
    expect(body.response_format).toEqual({ type: 'json_object' })
    expect(messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringContaining('"properties"'),
    })
    expect(losses).toContain('approximated output')
  })

  test('the word JSON stands in a message, without which OpenAI refuses json_object', () => {
    expect(JSON.stringify(encode({ output: { type: 'json' } }, 'gpt-5.4').messages)).toContain(
      'JSON',
    )
    const asked = { output: { type: 'json' }, turns: [turn('user', 'Give me json')] } as const
    expect(encode({ ...asked, turns: [...asked.turns] }, 'gpt-5.4').messages).toHaveLength(1)
  })
})

describe('the account and the cache', () => {
  const fields: Partial<ExchangeRequest> = {
    user: 'device-1 account-2',
    metadata: { a: 'b' },
    cacheKey: 'x'.repeat(100),
    serviceTier: 'standard_only',
    verbosity: 'low',
    store: true,
  }

  test('OpenAI gets a person’s hash, a short key and its own words', () => {
    const { body, losses } = encode(fields, 'gpt-5.4')
    expect(body.safety_identifier).toMatch(/^[0-9a-z]{40}$/)
    expect(String(body.prompt_cache_key)).toHaveLength(40)
    const longest = 'x'.repeat(64)
    expect(encode({ cacheKey: longest }, 'gpt-5.4').body.prompt_cache_key).toBe(longest)
    expect(body).toMatchObject({ service_tier: 'default', verbosity: 'low' })
    expect(body).not.toHaveProperty('metadata')
    expect(losses).toContain('dropped metadata')
  })

  test('a compatible vendor gets only the person’s hash', () => {
    const { body } = encode(fields, 'qwen3-max')
    expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'stream', 'user'])
  })

  test('cache marks become breakpoints, four at most, where the model takes them', () => {
    const marked = (ttl: string | null): Part => ({ type: 'text', text: 'x', cacheMark: { ttl } })
    const turns = [
      turn('system', marked('1h')),
      turn('user', ...Array.from({ length: 5 }, () => marked('5m'))),
    ]
    const marks = JSON.stringify(encode({ turns }, 'gpt-5.6').body).match(
      /"prompt_cache_breakpoint"/g,
    )
    expect(marks).toHaveLength(4)
    const { body, losses } = encode({ turns }, 'qwen3-max')
    expect(JSON.stringify(body)).not.toContain('breakpoint')
    expect(losses).toBe('dropped turns.cache_control')
  })

  test('the mark of a tool’s result stands at its last text', () => {
    const result = { ...resultPart('call_1', 'x'), cacheMark: { ttl: '5m' } } as Part
    const turns = [turn('assistant', callPart('call_1')), turn('tool', result)]
    const { messages } = encode({ turns }, 'gpt-5.6')
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ text: 'x', prompt_cache_breakpoint: expect.anything() }],
    })
  })

  test('a stored answer that only another vendor has is refused', () => {
    expect(refusalOf({ previousResponseId: 'resp_1' })).toThrow('previousResponseId')
  })
})
