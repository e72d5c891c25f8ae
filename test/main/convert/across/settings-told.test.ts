import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../../../main/convert/exchange.ts'
import { silentInRequest } from '../../../matrix/silent-drops.ts'
import { formats } from '../../../support/strict/loops/stage.ts'
import { pass } from '../../../support/strict/loops/through.ts'
import type { Json } from '../../../support/strict/requests/refusal.ts'
import { PNG } from '../../../support/strict/requests/refused-by.ts'

const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
const asked: Readonly<Record<WireFormat, Json>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'm', input: 'Hi' },
  messages: { model: 'm', max_tokens: 4000, messages: [{ role: 'user', content: 'Hi' }] },
  'generate-content': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
}
const flat = { type: 'function', name: 'f', parameters: schema, strict: true }
const nested = { type: 'function', function: { name: 'f', parameters: schema } }
const wrapped = { name: 'n', schema, strict: false, dialect: 'x' }
const described = {
  name: 'n',
  description: 'A city.',
  schema: { ...schema, description: 'Where it lies.' },
}
const chosen = { type: 'function', function: { name: 'f' }, priority: 1 }

const images = ['low', 'high'].map((detail) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${PNG}`, detail },
}))

/** Settings that no other format has a word for, or more than one of which says the same. */
const settings: readonly [WireFormat, string, Json][] = [
  ['chat', 'Z.ai’s thinking', { thinking: { type: 'enabled', clear_thinking: false } }],
  ['chat', 'a thinking object’s other fields', { thinking: { type: 'enabled', keep: 'all' } }],
  ['chat', 'an unknown kind of thinking', { thinking: { type: 'deep', budget_tokens: -1 } }],
  ['chat', 'OpenRouter’s reasoning', { reasoning: { effort: 'high', summary: 'auto' } }],
  ['chat', 'a budget of no number', { thinking_budget: -1 }],
  [
    'chat',
    'a schema that only guides',
    { response_format: { type: 'json_schema', json_schema: wrapped, cache: 'no' } },
  ],
  [
    'chat',
    'a schema that is described inside and out',
    { response_format: { type: 'json_schema', json_schema: described } },
  ],
  ['chat', 'how closely an image is looked at', { messages: [{ role: 'user', content: images }] }],
  ['chat', 'a choice with more in it', { tools: [nested], tool_choice: chosen }],
  ['chat', 'two limits', { max_completion_tokens: 66, max_tokens: 55, top_logprobs: 3 }],
  [
    'responses',
    'a schema that only guides',
    { text: { format: { type: 'json_schema', ...wrapped } } },
  ],
  [
    'responses',
    'a schema that is described inside and out',
    { text: { format: { type: 'json_schema', ...described } } },
  ],
  ['responses', 'a form with more in it', { text: { format: { type: 'json_object', cache: 1 } } }],
  [
    'responses',
    'two summaries',
    { reasoning: { summary: 'detailed', generate_summary: 'concise' } },
  ],
  [
    'responses',
    'a choice with more in it',
    { tools: [flat], tool_choice: { type: 'function', name: 'f', priority: 1 } },
  ],
  ['messages', 'a thinking object’s other fields', { thinking: { type: 'adaptive', keep: 1 } }],
  [
    'messages',
    'a form with more in it',
    { output_config: { format: { type: 'json_schema', schema, cache: 1 } } },
  ],
  [
    'messages',
    'a choice with more in it',
    { tools: [{ name: 'f', input_schema: schema }], tool_choice: { type: 'auto', priority: 1 } },
  ],
  [
    'generate-content',
    'a level of thinking that is not known',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'EXTREME' } } },
  ],
]

test.each(settings)('nothing of it is dropped without a word: %s, %s', (format, _, fields) => {
  const body = { ...asked[format], ...fields }
  const silent = formats
    .filter((to) => to !== format)
    .flatMap((to) => silentInRequest(format, to, body).map(({ path }) => `to ${to}: ${path}`))
  expect(silent).toEqual([])
})

// The stricter of two limits is sent, in the field that the model knows.
const returning = settings.filter(([, name]) => name !== 'two limits')

test.each(returning)('all of it comes back in its own format: %s, %s', (format, _, fields) => {
  const { body, losses } = pass(format, format, { ...asked[format], ...fields })
  expect(body).toMatchObject(fields)
  expect(losses).toEqual([])
})

const others = (format: WireFormat) => formats.filter((to) => to !== format)
const told = (from: WireFormat, to: WireFormat, fields: Json, model?: string) =>
  pass(from, to, { ...asked[from], ...fields }, model ? { model } : {}).losses.map(
    ({ kind, path }) => `${kind} ${path}`,
  )

describe('the client is told', () => {
  test.each(others('chat'))('that Z.ai’s clear_thinking goes no further, to %s', (to) => {
    const fields = { thinking: { type: 'enabled', clear_thinking: true } }
    expect(told('chat', to, fields)).toContain('dropped thinking.clear_thinking')
  })

  test.each([
    ['messages', 'claude-opus-4-7'],
    ['messages', 'claude-3-5-haiku-20241022'],
    ['generate-content', 'gemini-3-pro'],
    ['generate-content', 'gemini-2.0-flash'],
  ] as const)('that a schema which should only guide holds, to %s %s', (to, model) => {
    const chat = (strict?: boolean) => ({
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict } },
    })
    const responses = (strict?: boolean) => ({
      text: { format: { type: 'json_schema', name: 'n', schema, strict } },
    })
    expect(told('chat', to, chat(false), model)).toContain('approximated response_format')
    expect(told('responses', to, responses(false), model)).toContain('approximated text.format')
    if (model.includes('3-5')) return
    expect(told('chat', to, chat(true), model)).toEqual([])
    expect(told('chat', to, chat(), model)).toEqual([])
  })

  test.each([
    ['responses', 'gpt-5.1'],
    ['messages', 'claude-opus-4-7'],
    ['messages', 'claude-sonnet-4-5'],
    ['generate-content', 'gemini-3-pro'],
    ['generate-content', 'gemini-2.5-flash'],
  ] as const)('which of an effort and a budget counts, to %s %s', (to, model) => {
    const thinking = { type: 'enabled', budget_tokens: 4000 }
    const fields = { thinking, reasoning_effort: 'high' }
    expect(told('chat', to, fields, model)).toContain('approximated reasoning_effort')
    const off = { thinking: { type: 'disabled' }, reasoning_effort: 'high' }
    expect(told('chat', to, off, model)).toContain('approximated reasoning_effort')
  })

  test.each(['responses', 'messages', 'generate-content'] as const)(
    'that a model does not think, to %s',
    (to) => {
      const models = {
        responses: 'gpt-4o',
        messages: 'claude-3-5-haiku-20241022',
        'generate-content': 'gemini-2.0-flash',
      }
      const fields = { thinking: { type: 'enabled' } }
      const losses = told('chat', to, fields, models[to])
      expect(losses).toContain('dropped reasoning_effort')
    },
  )
})
