import { describe, expect, test } from 'vitest'
import type { GatewayError } from '../../../../main/base/errors.ts'
import type { ExchangeRequest, Part, ReasoningState } from '../../../../main/convert/exchange.ts'
import { Loss } from '../../../../main/convert/loss.ts'
import { modelRules } from '../../../../main/convert/model/model-rules.ts'
import { markState } from '../../../../main/convert/reasoning/reasoning-state.ts'
import { responsesConversion } from '../../../../main/convert/responses/conversion.ts'
import { codexBody, PATCH_GRAMMAR } from './codex-body.ts'

type Json = Record<string, unknown>

const decode = (body: Json): ExchangeRequest =>
  responsesConversion.decodeRequest({ model: 'm', ...body }, {})

const encode = (request: ExchangeRequest, loss = new Loss(responsesConversion.fieldNames)) =>
  responsesConversion.encodeRequest(request, {
    model: request.model,
    rules: modelRules('responses', 'gpt-5.6'),
    loss,
  })

const partsOf = (input: Json[]): Part[] => decode({ input }).turns.flatMap(({ parts }) => parts)

function fieldAtFault(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return (error as GatewayError).field
  }
  return undefined
}

describe('a body of Codex', () => {
  const request = decode(codexBody)

  test('is understood: prompt, history, calls and their outputs', () => {
    expect(request.turns.map(({ role, at }) => [role, at])).toEqual([
      ['system', 'instructions'],
      ['system', 'input[0]'],
      ['user', 'input[1]'],
      ['assistant', 'input[2]'],
      ['assistant', 'input[3]'],
      ['tool', 'input[4]'],
      ['assistant', 'input[5]'],
      ['tool', 'input[6]'],
      ['assistant', 'input[7]'],
      ['tool', 'input[8]'],
      ['assistant', 'input[9]'],
      ['tool', 'input[10]'],
      ['user', 'input[12]'],
    ])
    const calls = request.turns.flatMap(({ parts }) => parts).filter(({ type }) => type === 'call')
    expect(calls).toMatchObject([
      { id: 'call_1', name: 'exec_command', kind: 'function', arguments: '{"cmd":"ls"}' },
      { id: 'call_2', name: 'apply_patch', kind: 'freeform', arguments: '*** Begin Patch' },
      { id: 'call_3', name: 'search', namespace: 'mcp__docs__', kind: 'function' },
      { id: 'call_4', name: 'tool_search', kind: 'function', arguments: '{"query":"mail"}' },
    ])
    const results = request.turns
      .flatMap(({ parts }) => parts)
      .filter(({ type }) => type === 'result')
    expect(results).toMatchObject([
      { callId: 'call_1', kind: 'function', parts: [{ text: 'a.txt' }] },
      { callId: 'call_2', kind: 'freeform', parts: [{ text: 'Done!' }] },
      {
        callId: 'call_3',
        parts: [
          { type: 'text', text: 'Found', at: 'input[8].output[0]' },
          { type: 'media', kind: 'image', source: { type: 'base64', mediaType: 'image/png' } },
        ],
      },
      { callId: 'call_4', name: 'tool_search', parts: [{ text: 'Tools found: send_mail.' }] },
    ])
  })

  test('brings every tool, also those found and added in the middle', () => {
    expect(request.tools).toMatchObject([
      { type: 'function', name: 'exec_command', strict: false, at: 'tools[0]' },
      {
        type: 'freeform',
        name: 'apply_patch',
        grammar: { syntax: 'lark', definition: PATCH_GRAMMAR },
      },
      { type: 'function', name: 'search', namespace: 'mcp__docs__', at: 'tools[2].tools[0]' },
      { type: 'function', name: 'fetch', namespace: 'mcp__docs__', strict: true },
      { type: 'hosted', tool: 'web-search', name: 'web_search' },
      { type: 'function', name: 'tool_search', schema: { required: ['query'] } },
      { type: 'function', name: 'send_mail', at: 'input[10].tools[0]' },
      { type: 'function', name: 'late', at: 'input[11].tools[0]' },
    ])
  })

  test('asks for what Codex asks for', () => {
    expect(request).toMatchObject({
      stream: true,
      store: false,
      parallelCalls: true,
      toolChoice: { mode: 'auto' },
      reasoning: { effort: 'xhigh', isShown: true },
      verbosity: 'low',
      output: { type: 'schema', name: 'codex_output_schema', strict: true },
      cacheKey: 'conversation-1',
      serviceTier: 'priority',
      native: { fields: { client_metadata: { session: 's' } } },
    })
  })

  test('goes to its own format again with nothing lost', () => {
    const loss = new Loss()
    const body = encode(request, loss)
    expect(loss.entries).toEqual([])
    expect(body).toEqual(codexBody)
  })
})

describe('items that clients send in several ways', () => {
  test('a message may lack its type and have plain text', () => {
    expect(decode({ input: 'Hi' }).turns).toMatchObject([{ role: 'user', parts: [{ text: 'Hi' }] }])
    expect(decode({ input: [{ role: 'developer', content: 'Be brief.' }] }).turns).toMatchObject([
      { role: 'system', parts: [{ text: 'Be brief.', at: 'input[0].content' }] },
    ])
  })

  test('the Vercel SDK’s history: output_text with ids, reasoning with state', () => {
    const parts = partsOf([
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }], id: 'msg_1' },
    ])
    expect(parts[1]).toMatchObject({
      type: 'reasoning',
      sections: [],
      state: { origin: 'responses', kind: 'encrypted', data: 'gAAA', id: 'rs_1', model: null },
    })
    expect(parts[2]).toEqual({ type: 'text', text: 'Hello', at: 'input[2].content[0]' })
  })

  test('files and images, in the request, by address and by id', () => {
    const content = [
      { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'high' },
      { type: 'input_image', file_id: 'file-1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
      { type: 'input_file', filename: 'n.txt', file_data: 'data:text/plain;base64,aGk=' },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
    ]
    expect(partsOf([{ role: 'user', content }])).toMatchObject([
      { kind: 'image', source: { type: 'url', url: 'https://a.example/b.png' }, detail: 'high' },
      { kind: 'image', source: { type: 'file', id: 'file-1', origin: 'responses' } },
      { kind: 'document', source: { mediaType: 'application/pdf' }, filename: 'a.pdf' },
      { kind: 'document', source: { type: 'url' } },
      { kind: 'document', source: { type: 'text', text: 'hi', mediaType: 'text/plain' } },
      { kind: 'audio', source: { type: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
    ])
    const request = decode({ input: [{ type: 'message', role: 'user', content }] })
    const [item] = encode(request).input as Json[]
    expect(item?.content).toMatchObject(content)
  })

  test('strict that is left out is no wish of the client’s', () => {
    const tool = { type: 'function', name: 'f', parameters: { type: 'object' } }
    expect(decode({ tools: [tool] }).tools[0]).not.toHaveProperty('strict')
    expect(decode({ tools: [{ ...tool, strict: true }] }).tools).toMatchObject([{ strict: true }])
    expect(decode({ tools: [{ ...tool, strict: false }] }).tools).toMatchObject([{ strict: false }])
    expect(decode({ tools: [{ ...tool, parameters: null }] }).tools).toMatchObject([
      { schema: null },
    ])
  })

  test('choices of tools', () => {
    const choice = (tool_choice: unknown) => decode({ input: 'Hi', tool_choice }).toolChoice
    expect(choice('required')).toEqual({ mode: 'required' })
    expect(choice({ type: 'function', name: 'f' })).toMatchObject({ mode: 'one', kind: 'function' })
    expect(choice({ type: 'custom', name: 'f' })).toMatchObject({ mode: 'one', kind: 'freeform' })
    expect(choice({ type: 'web_search' })).toMatchObject({ mode: 'one', kind: 'hosted' })
    const tools = [{ type: 'function', name: 'f' }, { type: 'image_generation' }]
    expect(choice({ type: 'allowed_tools', mode: 'auto', tools })).toEqual({
      mode: 'some',
      names: ['f', 'image_generation'],
      isRequired: false,
    })
    expect(choice(null)).toBeUndefined()
  })
})

describe('tools that OpenAI defines and the client runs', () => {
  const tools = [{ type: 'apply_patch' }, { type: 'local_shell' }, { type: 'shell' }]
  const operation = { type: 'update_file', path: 'a', diff: '+b' }
  const outcome = { type: 'exit', exit_code: 0 }
  const input = [
    { type: 'apply_patch_call', call_id: 'c1', status: 'completed', operation },
    { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'no file' },
    {
      type: 'local_shell_call',
      call_id: 'c2',
      status: 'completed',
      action: { type: 'exec', command: ['ls'], env: {} },
    },
    { type: 'local_shell_call_output', call_id: 'c2', output: 'a' },
    { type: 'shell_call', call_id: 'c3', status: 'completed', action: { commands: ['ls'] } },
    {
      type: 'shell_call_output',
      call_id: 'c3',
      output: [{ stdout: 'a', stderr: '', outcome }],
    },
  ]

  test('are plain functions, their calls and outputs too', () => {
    const request = decode({ input, tools })
    expect(request.tools).toMatchObject([
      { type: 'function', name: 'apply_patch', schema: { required: ['type', 'path'] } },
      { type: 'function', name: 'local_shell', schema: { required: ['command'] } },
      { type: 'function', name: 'shell', schema: { required: ['commands'] } },
    ])
    const parts = request.turns.flatMap((turn) => turn.parts)
    expect(parts).toMatchObject([
      { type: 'call', name: 'apply_patch', arguments: JSON.stringify(operation) },
      { type: 'result', isError: true, parts: [{ text: 'no file' }] },
      { type: 'call', name: 'local_shell', arguments: '{"command":["ls"],"env":{}}' },
      { type: 'result', isError: false, parts: [{ text: 'a' }] },
      { type: 'call', name: 'shell', arguments: '{"commands":["ls"]}' },
      { type: 'result', callId: 'c3' },
    ])
  })

  test('are their own items again for the vendor', () => {
    const body = encode(decode({ input, tools }))
    expect(body.tools).toEqual(tools)
    expect(body.input).toEqual(input)
  })

  test('run at the vendor when their place is a container', () => {
    const tool = { type: 'shell', environment: { type: 'container_auto' } }
    expect(decode({ tools: [tool, { type: 'tool_search' }] }).tools).toMatchObject([
      { type: 'hosted', tool: 'shell' },
      { type: 'hosted', tool: 'tool-search' },
    ])
  })
})

describe('reasoning of another vendor that the client gives back', () => {
  const state: ReasoningState = {
    origin: 'messages',
    kind: 'signature',
    data: 'sig',
    model: 'claude',
  }

  test('is that vendor’s again, with its text', () => {
    const item = {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: markState(state),
    }
    expect(partsOf([item])).toMatchObject([{ type: 'reasoning', sections: ['Hm.'], state }])
  })

  test('goes back onto the call and the text that it belongs to', () => {
    const google: ReasoningState = { ...state, origin: 'generate-content' }
    const carried = (id: string) => ({
      type: 'reasoning',
      summary: [],
      encrypted_content: markState({ ...google, id }),
    })
    const parts = partsOf([
      { role: 'user', content: 'Hi' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
      carried('text'),
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{}' },
      carried('c1'),
    ])
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'call', 'call'])
    expect(parts[1]).toMatchObject({ state: google })
    expect(parts[2]).toMatchObject({ state: google })
    expect(parts[3]).not.toHaveProperty('state')
  })
})

describe('what no other vendor can give', () => {
  const refused = (body: Json) =>
    fieldAtFault(() => responsesConversion.refuseForeign?.(decode(body), new Loss()))

  test('is refused by its path', () => {
    const user = { role: 'user', content: 'Hi' }
    expect(refused({ input: 'Hi' })).toBeUndefined()
    expect(refused({ input: 'Hi', conversation: 'conv_1' })).toBe('conversation')
    expect(refused({ input: 'Hi', background: true })).toBe('background')
    expect(refused({ input: 'Hi', background: false })).toBeUndefined()
    expect(refused({ prompt: { id: 'pmpt_1' } })).toBe('prompt')
    expect(refused({ input: [user, { type: 'item_reference', id: 'msg_1' }] })).toBe('input[1]')
    expect(refused({ input: [user, { id: 'rs_1' }] })).toBe('input[1]')
    expect(refused({ input: [{ type: 'compaction', encrypted_content: 'x' }] })).toBe('input[0]')
  })

  test('is left alone by its own format', () => {
    const input = [
      { type: 'item_reference', id: 'msg_1' },
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'x' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } },
    ]
    const body = encode(decode({ input, conversation: 'conv_1', truncation: 'auto' }))
    expect(body).toMatchObject({ input, conversation: 'conv_1', truncation: 'auto' })
  })

  test('is noted where it only goes another way', () => {
    const loss = new Loss()
    responsesConversion.refuseForeign?.(decode(codexBody), loss)
    expect(loss.entries.map(({ path }) => path)).toEqual(['tools[4]', 'input[10]', 'input[11]'])
  })

  test('is no loss where Codex puts all its tools before the first message', () => {
    const tools = [{ type: 'custom', name: 'exec' }]
    const input = [
      { type: 'additional_tools', role: 'developer', tools },
      { type: 'message', role: 'developer', content: 'You are Codex.' },
      { type: 'message', role: 'user', content: 'Hi' },
    ]
    const loss = new Loss()
    responsesConversion.refuseForeign?.(decode({ input }), loss)
    expect(loss.entries).toEqual([])
  })
})

describe('what cannot be understood', () => {
  test.each([
    ['input', { input: 5 }],
    ['input[0]', { input: ['Hi'] }],
    ['input[0].role', { input: [{ role: 'robot', content: 'Hi' }] }],
    ['input[0].content', { input: [{ role: 'user', content: 5 }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [5] }] }],
    ['input[0].name', { input: [{ type: 'function_call', call_id: 'c', arguments: '{}' }] }],
    ['input[0].call_id', { input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['tools', { tools: {} }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
    ['tool_choice', { tool_choice: 'maybe' }],
    ['temperature', { temperature: 'hot' }],
    ['text.format.schema', { text: { format: { type: 'json_schema', name: 'x' } } }],
  ])('is refused at %s', (field, body) => {
    expect(fieldAtFault(() => decode(body as Json))).toBe(field)
  })
})
