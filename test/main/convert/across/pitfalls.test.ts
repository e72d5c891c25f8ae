import { describe, expect, test } from 'vitest'
import {
  call,
  chatBody,
  claude,
  claudeAnswer,
  claudeBody,
  claudeLoop,
  contentOf,
  deepseek,
  gemini,
  gpt,
  hi,
  itemsBody,
  loop,
  messagesOf,
  olderClaude,
  result,
  use,
  used,
} from '../../../support/strict/loops/small-bodies.ts'
import { objectsOf, pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'
import { checkGoogleSchema } from '../../../support/strict/requests/schema-rules.ts'

describe('calls and results', () => {
  test('pitfall 11: all results come first in the turn behind the calls', () => {
    const body = itemsBody(
      { type: 'function_call', call_id: 'call_1', name: 'get', arguments: '{}' },
      { type: 'function_call', call_id: 'call_2', name: 'get', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_2', output: 'two' },
      { type: 'message', role: 'user', content: 'By the way' },
      { type: 'function_call_output', call_id: 'call_1', output: 'one' },
    )
    const messages = messagesOf(pass('responses', 'messages', body, { model: claude }).body)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(
      contentOf(messages[2]).map(({ type, tool_use_id: id, text }) => id ?? text ?? type),
    ).toEqual(['call_1', 'call_2', 'By the way'])
  })

  test('pitfall 12: call and result have one id, the same each time', () => {
    const body = loop(
      [call('functions.get:0|é'), call('call_2')],
      result('call_2'),
      result('functions.get:0|é'),
    )
    const once = messagesOf(pass('chat', 'messages', body, { model: claude }).body)
    const ids = contentOf(once[1]).map(({ id }) => id)
    expect(contentOf(once[2]).map((one) => one.tool_use_id)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
    expect(messagesOf(pass('chat', 'messages', body, { model: claude }).body)).toEqual(once)
  })

  test('pitfall 13: ids keep to the vendor’s length and letters', () => {
    const long = `call_${'x'.repeat(400)}|fc_1`
    const body = loop([call(long)], result(long))
    const claudeId = contentOf(
      messagesOf(pass('chat', 'messages', body, { model: claude }).body)[1],
    )[0]?.id
    expect(claudeId).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    const items = pass('chat', 'responses', body, { model: gpt }).body.input as Json[]
    const ids = items.map((item) => item.call_id).filter((id) => id !== undefined)
    expect(ids).toHaveLength(2)
    expect(ids[0]).toBe(ids[1])
    expect(String(ids[0]).length).toBeLessThanOrEqual(64)
  })

  test('pitfall 14: Gemini gets as many responses as calls, in their order', () => {
    const body = loop(
      [call('a', 'get'), call('b', 'put'), call('c', 'get')],
      result('c', 'three'),
      result('a', 'one'),
    )
    const contents = pass('chat', 'generate-content', body, { model: gemini }).body.contents as {
      parts: Json[]
    }[]
    const responses = contents.at(-1)?.parts.map(({ functionResponse }) => functionResponse as Json)
    expect(responses?.map(({ name }) => name)).toEqual(['get', 'put', 'get'])
    expect(JSON.stringify(responses?.[0]?.response)).toContain('one')
    expect(responses?.[1]?.response).toHaveProperty('error')
    expect(JSON.stringify(responses?.[2]?.response)).toContain('three')
  })

  test('pitfall 22: a picture in a result arrives as a picture', () => {
    const source = { type: 'base64', media_type: 'image/png', data: PNG }
    const body = claudeLoop([use], [{ ...used, content: [{ type: 'image', source }] }])
    const chat = messagesOf(pass('messages', 'chat', body, { model: 'gpt-5.4' }).body)
    const at = chat.findIndex(({ role }) => role === 'tool')
    expect(JSON.stringify(chat[at])).not.toContain(PNG)
    expect(chat[at + 1]).toMatchObject({ role: 'user' })
    expect(JSON.stringify(chat[at + 1])).toContain(`data:image/png;base64,${PNG}`)
    const google = JSON.stringify(
      pass('messages', 'generate-content', body, { model: gemini }).body,
    )
    expect(google).toContain(`"inlineData":{"mimeType":"image/png","data":"${PNG}"}`)
    const items = pass('messages', 'responses', body, { model: gpt }).body.input as Json[]
    const output = items.find(({ type }) => type === 'function_call_output')?.output
    expect(output).toMatchObject([{ type: 'input_image' }])
  })
})

describe('settings and tools', () => {
  test('pitfall 16: no schema keyword that Gemini does not know reaches `parameters`', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, const: 'x' },
        format: { type: ['string', 'null'], format: 'uri' },
        count: { type: 'integer', exclusiveMinimum: 0, enum: [1, 2] },
        free: { type: 'object', additionalProperties: {} },
        list: { type: 'array' },
        one: { oneOf: [{ type: 'string' }, { $ref: '#/$defs/two' }] },
      },
      required: ['title', 'gone'],
      additionalProperties: false,
      $defs: { two: { type: 'number', examples: [1] } },
    }
    const body = {
      ...chatBody,
      tools: [{ type: 'function', function: { name: 'get', parameters: schema } }],
    }
    const declared = (model: string, rules = {}) => {
      const { tools } = pass('chat', 'generate-content', body, { model, rules }).body
      return (tools as { functionDeclarations: Json[] }[])[0]?.functionDeclarations[0]
    }
    const old = declared('gemini-1.5-pro', { jsonSchemaField: false })?.parameters as Json
    checkGoogleSchema(old, 'parameters')
    expect(Object.keys(old.properties as Json)).toEqual(Object.keys(schema.properties))
    expect(declared(gemini)?.parametersJsonSchema).toMatchObject({ properties: schema.properties })
  })

  test('pitfall 17: newer Claude gets no sampling parameters and no budget', () => {
    const body = { ...chatBody, temperature: 0.5, top_p: 0.5, reasoning_effort: 'high' }
    const newer = pass('chat', 'messages', body, { model: claude })
    expect(newer.body).not.toHaveProperty('temperature')
    expect(newer.body).not.toHaveProperty('top_p')
    expect(newer.body.thinking).toMatchObject({ type: 'adaptive' })
    expect(newer.losses.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['temperature', 'top_p']),
    )
    const older = pass(
      'chat',
      'messages',
      { ...chatBody, temperature: 0.5 },
      { model: olderClaude },
    )
    expect(older.body.temperature).toBe(0.5)
  })

  test('pitfall 18: no tool is forced where thinking forbids it', () => {
    const forced = {
      ...loop([call('a')], result('a')),
      tool_choice: 'required',
      reasoning_effort: 'high',
    }
    const newest = pass('chat', 'messages', forced, { model: claude })
    expect(newest.body.tool_choice).toMatchObject({ type: 'auto' })
    expect(newest.losses.map(({ path }) => path)).toContain('tool_choice')
    const older = pass('chat', 'messages', forced, { model: olderClaude }).body
    const thinks = (older.thinking as Json | undefined)?.type === 'enabled'
    expect((older.tool_choice as Json).type).toBe(thinks ? 'auto' : 'any')
  })

  test('pitfall 19: max_tokens goes under the name that the model knows', () => {
    const gpt5 = pass('messages', 'chat', claudeBody, { model: 'gpt-5.4' }).body
    expect(gpt5).toMatchObject({ max_completion_tokens: 100 })
    expect(gpt5).not.toHaveProperty('max_tokens')
    expect(pass('messages', 'chat', claudeBody, { model: deepseek }).body).toMatchObject({
      max_tokens: 100,
    })
  })

  test('pitfall 20: a system turn in the middle stays in its place in a form that is taken', () => {
    const body = { ...chatBody, messages: [hi, { role: 'system', content: 'Be short.' }, hi] }
    expect(messagesOf(pass('chat', 'messages', body, { model: claude }).body)[1]).toMatchObject({
      role: 'system',
    })
    const older = JSON.stringify(
      pass('chat', 'messages', body, { model: olderClaude }).body.messages,
    )
    expect(older).toContain('<system-reminder>')
    expect(older).not.toContain('"role":"system"')
    const strict = pass(
      'messages',
      'chat',
      { ...claudeBody, messages: body.messages },
      { model: 'qwen3-max', rules: { midSystem: false } },
    ).body
    expect(
      messagesOf(strict)
        .slice(1)
        .some(({ role }) => role === 'system'),
    ).toBe(false)
    expect(JSON.stringify(strict)).toContain('Be short.')
  })

  test('pitfall 21: the billing header goes to Anthropic only', () => {
    const header = { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.181.8f2;' }
    const body = { ...claudeBody, system: [header, { type: 'text', text: 'You help.' }] }
    for (const to of ['chat', 'generate-content', 'responses'] as const) {
      const { body: converted, losses } = pass('messages', to, body)
      const sent = JSON.stringify(converted)
      expect(sent).not.toContain('billing-header')
      expect(sent).toContain('You help.')
      const notes = losses.map(({ path, note }) => `${path}: ${note}`)
      expect(notes).toContain('system[0]: Claude Code’s note for its own vendor')
    }
    const { losses } = pass('messages', 'chat', { ...claudeBody, constructor: 1 })
    const unknown = { path: 'constructor', note: 'this upstream has no such field' }
    expect(losses).toContainEqual(expect.objectContaining(unknown))
    expect(pass('messages', 'messages', body, { model: claude }).body.system).toEqual(body.system)
  })

  test('pitfall 23: empty text is left out, and no cache mark stands on it', () => {
    const marked = { cache_control: { type: 'ephemeral' } }
    const content = [
      { type: 'text', text: 'x' },
      { type: 'text', text: '', ...marked },
    ]
    const own = pass(
      'messages',
      'messages',
      { ...claudeBody, messages: [{ role: 'user', content }] },
      { model: claude },
    ).body
    expect(JSON.stringify(own.messages)).not.toContain('"text":""')
    const chat = {
      ...chatBody,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'text', text: '', ...marked },
          ],
        },
      ],
    }
    for (const to of ['messages', 'generate-content', 'responses'] as const) {
      expect(
        JSON.stringify(pass('chat', to, chat, { model: to === 'messages' ? claude : gpt }).body),
      ).not.toContain('"text":""')
    }
  })

  test('pitfall 27: Codex’s freeform and namespaced tools come back as what they were', () => {
    const tools = [
      {
        type: 'custom',
        name: 'apply_patch',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
      },
      {
        type: 'namespace',
        name: 'mcp__github',
        description: 'x',
        tools: [{ type: 'function', name: 'list', parameters: { type: 'object', properties: {} } }],
      },
    ]
    const passage = pass('responses', 'messages', { ...itemsBody(), tools }, { model: claude })
    const names = (passage.body.tools as Json[]).map(({ name }) => name)
    expect(names).toEqual(['apply_patch', 'mcp__github__list'])
    const answer = claudeAnswer(
      [
        { type: 'tool_use', id: 'toolu_1', name: 'apply_patch', input: { input: 'x "y"\n' } },
        { type: 'tool_use', id: 'toolu_2', name: 'mcp__github__list', input: {} },
      ],
      { stop_reason: 'tool_use' },
    )
    const calls = (passage.whole(answer).output as Json[]).filter(
      ({ type }) => type !== 'reasoning',
    )
    expect(calls).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: 'x "y"\n', call_id: 'toolu_1' },
      { type: 'function_call', name: 'list', namespace: 'mcp__github', arguments: '{}' },
    ])
    const events = objectsOf(passage.spread(answer))
    expect(events.some(({ type }) => type === 'response.custom_tool_call_input.delta')).toBe(true)
    const echoed = {
      ...itemsBody(
        ...calls,
        { type: 'custom_tool_call_output', call_id: 'toolu_1', output: 'ok' },
        { type: 'function_call_output', call_id: 'toolu_2', output: 'ok' },
      ),
      tools,
    }
    const uses = contentOf(
      messagesOf(pass('responses', 'messages', echoed, { model: claude }).body)[1],
    )
    expect(uses).toMatchObject([
      { name: 'apply_patch', input: { input: 'x "y"\n' } },
      { name: 'mcp__github__list', input: {} },
    ])
  })
})

test('a call in a namespace of its tool’s own name, as of deferred tools, keeps the listed name', () => {
  const body = {
    ...itemsBody(
      { type: 'function_call', call_id: 'a', name: 'get', namespace: 'get', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'one' },
    ),
    tools: [{ type: 'function', name: 'get', parameters: { type: 'object', properties: {} } }],
  }
  for (const to of ['chat', 'messages', 'generate-content'] as const) {
    expect(JSON.stringify(pass('responses', to, body).body)).not.toContain('get__get')
  }
})
