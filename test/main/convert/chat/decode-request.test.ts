import { describe, expect, test } from 'vitest'
import { chatConversion } from '../../../../main/convert/chat/conversion.ts'
import type { ExchangeRequest } from '../../../../main/convert/exchange.ts'
import { parseExact } from '../../../../main/convert/json/exact-json.ts'
import { openCodeLater } from '../../../support/agent-requests/opencode.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'
import type { Json } from './small-exchange.ts'

const user = { role: 'user', content: 'Hi' }

const decode = (fields: Json): ExchangeRequest =>
  chatConversion.decodeRequest({ model: 'm', messages: [user], ...fields }, {})

const turnOf = (message: Json) => decode({ messages: [message] }).turns[0]
const partsOf = (message: Json) => turnOf(message)?.parts

describe('messages', () => {
  test('roles and places are told', () => {
    const { turns } = decode({
      messages: [
        { role: 'developer', content: 'Be short.' },
        { role: 'system', content: [{ type: 'text', text: 'Always.' }] },
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
    })
    expect(turns.map(({ role, at, parts }) => [role, at, parts[0]?.at])).toEqual([
      ['system', 'messages[0]', 'messages[0].content'],
      ['system', 'messages[1]', 'messages[1].content[0]'],
      ['user', 'messages[2]', 'messages[2].content'],
      ['assistant', 'messages[3]', 'messages[3].tool_calls[0]'],
      ['tool', 'messages[4]', 'messages[4]'],
    ])
  })

  test('pictures, sound and files are read with their types put right', () => {
    const parts = partsOf({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/jpg;base64,${PNG}`, detail: 'low' } },
        { type: 'image_url', image_url: 'https://a.example/b.png' },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        {
          type: 'file',
          file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
        },
        { type: 'file', file: { file_id: 'file-1' } },
      ],
    })
    expect(parts).toMatchObject([
      {
        kind: 'image',
        detail: 'low',
        source: { type: 'base64', mediaType: 'image/png', data: PNG },
      },
      { kind: 'image', source: { type: 'url', url: 'https://a.example/b.png' } },
      { kind: 'audio', source: { mediaType: 'audio/mpeg' } },
      { kind: 'document', filename: 'a.pdf', source: { mediaType: 'application/pdf' } },
      { kind: 'document', source: { type: 'file', id: 'file-1', origin: 'chat' } },
    ])
  })

  test('the deprecated function messages are calls and results', () => {
    const { turns, tools, toolChoice } = decode({
      messages: [
        user,
        { role: 'assistant', content: null, function_call: { name: 'get', arguments: '{"a":1}' } },
        { role: 'function', name: 'get', content: 'ok' },
      ],
      functions: [{ name: 'get', parameters: { type: 'object' } }],
      function_call: { name: 'get' },
    })
    expect(turns[1]?.parts).toMatchObject([{ type: 'call', id: null, name: 'get' }])
    expect(turns[2]?.parts).toMatchObject([{ type: 'result', callId: null, name: 'get' }])
    expect(tools).toMatchObject([{ type: 'function', name: 'get', at: 'functions[0]' }])
    expect(toolChoice).toEqual({ mode: 'one', name: 'get', kind: 'function' })
  })

  test('a result of a freeform call is one', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'patch', input: 'x' } }
    const { turns } = decode({
      messages: [
        { role: 'assistant', tool_calls: [custom] },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
    })
    expect(turns[0]?.parts).toMatchObject([{ kind: 'freeform', arguments: 'x' }])
    expect(turns[1]?.parts).toMatchObject([{ kind: 'freeform', callId: 'a' }])
  })

  test('cache marks are read in both spellings', () => {
    expect(
      partsOf({
        role: 'user',
        content: [
          { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
          { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
        ],
      })?.map(({ cacheMark }) => cacheMark),
    ).toEqual([{ ttl: '30m' }, { ttl: '1h' }])
    const marked = { cache_control: { type: 'ephemeral' } }
    const whole = { role: 'system', content: 'a', ...marked }
    expect(partsOf(whole)).toMatchObject([{ cacheMark: { ttl: null } }])
    const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }
    const calling = { role: 'assistant', tool_calls: [{ ...call, ...marked }] }
    expect(partsOf(calling)).toMatchObject([{ type: 'call', cacheMark: { ttl: null } }])
  })

  test('what OpenCode sends later in a session is understood', () => {
    const body = openCodeLater('m')
    const { turns, tools, stream, wantsStreamUsage, maxOutput } = decode(body)
    expect({ stream, wantsStreamUsage, maxOutput, tools: tools.length }).toEqual({
      stream: true,
      wantsStreamUsage: true,
      maxOutput: 32_000,
      tools: 2,
    })
    expect(turns[3]?.parts.map(({ type }) => type)).toEqual(['reasoning', 'call', 'call'])
    expect(turns[5]?.parts).toMatchObject([{ type: 'result', parts: [] }])
  })
})

describe('reasoning that clients send back', () => {
  const thoughts = (fields: Json) =>
    (partsOf({ role: 'assistant', content: 'x', ...fields }) ?? []).filter(
      ({ type }) => type === 'reasoning',
    )

  test.each(['reasoning_content', 'reasoning'])('%s is read', (field) => {
    expect(thoughts({ [field]: 'Hm' })).toMatchObject([{ sections: ['Hm'] }])
  })

  test('OpenRouter’s entries keep their state, and their text is not read twice', () => {
    const entry = { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'f', index: 0 }
    const found = thoughts({ reasoning: 'Hm', reasoning_details: [entry] })
    expect(found).toMatchObject([{ sections: ['Hm'], state: { origin: 'chat' } }])
  })

  test('LiteLLM’s blocks are Anthropic’s', () => {
    const found = thoughts({
      reasoning_content: 'Hm',
      thinking_blocks: [
        { type: 'thinking', thinking: 'Hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
      ],
    })
    expect(found).toMatchObject([
      { sections: ['Hm'], state: { origin: 'messages', kind: 'signature', data: 's' } },
      { sections: [], state: { origin: 'messages', kind: 'redacted', data: 'd' } },
    ])
  })

  test('Google’s signature on a call is Google’s', () => {
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'get', arguments: '{}' },
      extra_content: { google: { thought_signature: 'R29v' } },
    }
    expect(partsOf({ role: 'assistant', content: null, tool_calls: [call] })).toMatchObject([
      { type: 'call', state: { origin: 'generate-content', data: 'R29v' } },
    ])
  })
})

describe('settings', () => {
  test('each has its place in the exchange', () => {
    const { turns: _turns, ...rest } = decode({
      stream: true,
      max_tokens: 5,
      max_completion_tokens: 7,
      temperature: '0.5',
      top_p: 0.9,
      stop: 'END',
      n: 2,
      logprobs: true,
      top_logprobs: 3,
      reasoning_effort: 'xhigh',
      user: 'me',
      parallel_tool_calls: false,
      response_format: { type: 'json_object' },
      stream_options: { include_usage: true, include_obfuscation: false },
      prediction: { type: 'content', content: 'x' },
    })
    expect(rest).toEqual({
      origin: 'chat',
      model: 'm',
      stream: true,
      tools: [],
      maxOutput: 7,
      temperature: 0.5,
      topP: 0.9,
      stop: ['END'],
      count: 2,
      logprobs: 3,
      reasoning: { effort: 'xhigh' },
      user: 'me',
      parallelCalls: false,
      output: { type: 'json' },
      wantsStreamUsage: true,
      native: {
        origin: 'chat',
        fields: {
          // The other limit counts.
          max_tokens: 5,
          prediction: { type: 'content', content: 'x' },
          stream_options: { include_obfuscation: false },
        },
      },
    })
  })

  test.each([
    [{ reasoning: { effort: 'low', exclude: true } }, { effort: 'low', isShown: false }],
    [{ reasoning: { max_tokens: 900 } }, { budget: 900, isShown: true }],
    [{ thinking: { type: 'disabled' } }, { mode: 'off' }],
    [
      { enable_thinking: true, thinking_budget: 500 },
      { mode: 'on', budget: 500 },
    ],
  ])('%j asks for thoughts', (fields, expected) => {
    const { reasoning, native } = decode(fields)
    expect(reasoning).toEqual(expected)
    expect(native).toBeUndefined()
  })

  test('penalties may be negative, which asks for repetition', () => {
    const penalties = { presence_penalty: -2, frequency_penalty: -0.5 }
    expect(decode(penalties)).toMatchObject({ presencePenalty: -2, frequencyPenalty: -0.5 })
  })

  test('a seed that no double holds is kept as it is', () => {
    const body = parseExact(
      `{"model":"m","messages":[{"role":"user","content":"x"}],"seed":9007199254740993}`,
    )
    const { seed, native } = chatConversion.decodeRequest(body as Json, {})
    expect(seed).toBeUndefined()
    expect(native?.fields.seed).toMatchObject({ text: '9007199254740993' })
  })

  test('tools, custom and flat ones too, and how they are chosen', () => {
    const { tools, toolChoice } = decode({
      tools: [
        {
          type: 'function',
          function: { name: 'get', parameters: { type: 'object' }, strict: true },
        },
        { type: 'function', name: 'flat', parameters: { type: 'object' } },
        {
          type: 'custom',
          custom: {
            name: 'patch',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'x' } },
          },
        },
        { type: 'web_search', web_search: { enable: true } },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [{ type: 'function', function: { name: 'get' } }],
        },
      },
      web_search_options: {},
    })
    expect(tools).toMatchObject([
      { type: 'function', name: 'get', strict: true },
      { type: 'function', name: 'flat' },
      {
        ...{ type: 'freeform', name: 'patch', at: 'tools[2]' },
        grammar: { syntax: 'lark', definition: 'x' },
      },
      { type: 'hosted', tool: 'web-search', name: 'web_search' },
      { type: 'hosted', tool: 'web-search', name: 'web_search_options' },
    ])
    expect(toolChoice).toEqual({ mode: 'some', names: ['get'], isRequired: true })
  })
})

describe('what cannot be read is named', () => {
  test.each([
    [{ messages: undefined, input: 'x' }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [user, { role: 'robot' }] }, 'messages[1].role'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'messages[0].content'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages[0].content[0].image_url.url',
    ],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }, 'messages[0].tool_calls[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [{ model: '' }, 'model'],
    [{ temperature: 3 }, 'temperature'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ stop: 5 }, 'stop'],
    [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    [{ tool_choice: 'maybe' }, 'tool_choice'],
    [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema.schema'],
    [{ reasoning_effort: 'huge' }, 'reasoning_effort'],
  ] as [Json, string][])('%j', (fields, field) => {
    expect(() => decode(fields)).toThrow(expect.objectContaining({ field }))
  })
})
