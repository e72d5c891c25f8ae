import { describe, expect, test } from 'vitest'
import { pass } from '../../../support/strict/loops/through.ts'

const tools = ['find', 'save'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
}))
const call = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }
const loop = [
  { role: 'user', content: 'Find it.' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'a', content: 'Here.' },
]
const sent = (model: string, more: Record<string, unknown>) => {
  const asked = { model, tools, messages: [{ role: 'user', content: 'Save it.' }], ...more }
  const { body, losses } = pass('chat', 'messages', asked, { model })
  const { thinking, tool_choice } = body
  return { thinking, tool_choice, losses: losses.map(({ kind, path }) => `${kind} ${path}`) }
}
const named = { type: 'function', function: { name: 'save' } }
const off = { type: 'disabled' }

describe('DeepSeek’s Messages endpoint, which thinks unasked,', () => {
  const model = 'deepseek-v4-pro'

  test.each([
    ['by name', named, { type: 'tool', name: 'save' }],
    ['of any kind', 'required', { type: 'any' }],
  ])('makes a demanded call %s without thoughts', (_, tool_choice, spoken) => {
    expect(sent(model, { tool_choice })).toEqual({
      ...{ thinking: off, tool_choice: spoken },
      losses: ['approximated tool_choice'],
    })
  })

  test('takes it as a wish where the client wants thoughts, too', () => {
    const asked = sent(model, { tool_choice: named, reasoning_effort: 'high' })
    expect(asked).toMatchObject({ thinking: { type: 'adaptive' }, tool_choice: { type: 'auto' } })
    expect(asked.losses).toContain('approximated tool_choice')
  })

  test('answers by a schema without thoughts, since that is a demanded call', () => {
    const json_schema = { name: 'answer', schema: { type: 'object', properties: {} } }
    const response_format = { type: 'json_schema', json_schema }
    expect(sent(model, { response_format, tools: undefined }).thinking).toEqual(off)
  })

  test('goes on without thoughts where those before an earlier call are lost, whatever came since', () => {
    const later = [
      { role: 'assistant', content: 'Found.' },
      { role: 'user', content: 'Thanks.' },
    ]
    for (const messages of [loop, [...loop, ...later]]) {
      expect(sent(model, { messages })).toMatchObject({
        thinking: off,
        losses: expect.arrayContaining(['approximated messages']),
      })
      expect(sent(model, { messages, reasoning_effort: 'high' }).thinking).toEqual(off)
    }
  })

  test('is left to think otherwise', () => {
    expect(sent(model, {})).toEqual({ losses: [] })
    expect(sent(model, { tool_choice: 'auto' }).thinking).toBeUndefined()
  })
})

test('MiMo goes on without thoughts that are lost, and takes a demanded call with them', () => {
  expect(sent('mimo-v2.5-pro', { messages: loop }).thinking).toEqual(off)
  expect(sent('mimo-v2.5-pro', { tool_choice: named })).toMatchObject({
    tool_choice: { type: 'tool', name: 'save' },
    losses: [],
  })
})

test('Claude, which doesn’t think unasked, isn’t told anything', () => {
  expect(sent('claude-haiku-4-5', { tool_choice: named })).toMatchObject({ losses: [] })
  expect(sent('claude-haiku-4-5', { messages: loop }).thinking).toBeUndefined()
})
