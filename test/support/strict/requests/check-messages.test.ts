import { describe, expect, test } from 'vitest'
import { IssuedStates } from '../answers/issued-state.ts'
import { checkMessages } from './check-messages.ts'
import type { Json } from './refusal.ts'
import { PNG, refusedBy } from './refused-by.ts'

const issued = new IssuedStates()
const state = issued.issue({ text: 'Hm.', calls: ['toolu_1'], said: '', id: 'x' })
const thought = { type: 'thinking', thinking: 'Hm.', signature: state.data }
const use = { type: 'tool_use', id: 'toolu_1', name: 'get', input: {} }
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }
const tool = { name: 'get', input_schema: { type: 'object', properties: {} } }
const base = {
  model: 'claude-opus-5-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
}
const turn = (assistant: Json[], user: Json[]) => ({
  ...base,
  tools: [tool],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: assistant },
    { role: 'user', content: user },
  ],
})
const user = (content: unknown) => ({ ...base, messages: [{ role: 'user', content }] })
const older = (more: Json) => ({ ...base, model: 'claude-sonnet-4-5', ...more })
const says = (body: Json, headers: Json = { 'anthropic-version': '2023-06-01' }) =>
  refusedBy(() => checkMessages(body, headers, issued))
const mark = { cache_control: { type: 'ephemeral' } }
const marked = { type: 'text', text: 'x', ...mark }
const schema = (more: Json) => ({ ...base, tools: [{ name: 'get', input_schema: more }] })

test.each([
  ['a plain question', base],
  ['a tool loop with its thoughts', turn([thought, use], [result])],
  [
    'an image',
    user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }]),
  ],
  [
    'a system turn in the middle',
    {
      ...turn([thought, use], [result]),
      messages: [
        ...turn([thought, use], [result]).messages,
        { role: 'system', content: 'Be short.' },
      ],
    },
  ],
  [
    'budget thinking on an older model',
    older({ max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2000 } }),
  ],
  ['temperature on an older model', older({ temperature: 0.5 })],
])('takes %s', (_, body) => expect(says(body)).toBeNull())

describe('refuses', () => {
  test('a request without a version', () => expect(says(base, {})).toContain('anthropic-version'))

  test.each<[string, Json, string]>([
    ['an unknown field', { ...base, foo: 1 }, 'foo'],
    ['a beta field without its header', { ...base, context_management: {} }, 'context_management'],
    ['an unknown field of a block', user([{ type: 'text', text: 'a', foo: 1 }]), 'foo'],
    ['an empty text block', user([{ type: 'text', text: ' ' }]), 'non-whitespace'],
    ['an empty message', user(''), 'non-empty'],
    ['a message without blocks', user([]), 'non-empty'],
    ['no messages', { ...base, messages: [] }, 'at least one'],
    [
      'an assistant first',
      { ...base, messages: [{ role: 'assistant', content: 'x' }] },
      'first message',
    ],
    [
      'a result that is missing',
      turn([thought, use], [{ type: 'text', text: 'x' }]),
      'without `tool_result`',
    ],
    [
      'text before results',
      turn([thought, use], [{ type: 'text', text: 'x' }, result]),
      'without `tool_result`',
    ],
    ['a result without call', user([result]), 'unexpected `tool_use_id`'],
    ['two results of one call', turn([thought, use], [result, result]), 'must be unique'],
    ['two calls of one id', turn([thought, use, use], [result]), 'must be unique'],
    [
      'a system turn between call and result',
      {
        ...base,
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [thought, use] },
          { role: 'system', content: 'x' },
          { role: 'user', content: [result] },
        ],
      },
      'without `tool_result`',
    ],
    [
      'a system turn on an older model',
      older({ messages: [...base.messages, { role: 'system', content: 'x' }] }),
      'role ‘system’ is not supported',
    ],
    [
      'a foreign signature',
      turn([{ ...thought, signature: 'abc' }, use], [result]),
      'Invalid `signature`',
    ],
    [
      'thoughts that were changed',
      turn([{ ...thought, thinking: 'Ha.' }, use], [result]),
      'cannot be modified',
    ],
    [
      'thoughts in another place',
      turn([thought, { ...use, id: 'toolu_2' }], [{ ...result, tool_use_id: 'toolu_2' }]),
      'another turn',
    ],
    ['thoughts behind a call', turn([use, thought], [result]), 'must come first'],
    ['a call without the thoughts it came with', turn([use], [result]), 'Expected `thinking`'],
    [
      'a bad id',
      turn([{ ...use, id: 'a|b' }], [{ ...result, tool_use_id: 'a|b' }]),
      'match pattern',
    ],
    ['input that is no object', turn([thought, { ...use, input: 'x' }], [result]), 'object'],
    ['a tool name with a dot', { ...base, tools: [{ ...tool, name: 'a.b' }] }, 'match pattern'],
    [
      'a tool name of 129',
      { ...base, tools: [{ ...tool, name: 'a'.repeat(129) }] },
      'match pattern',
    ],
    ['two tools of one name', { ...base, tools: [tool, tool] }, 'unique'],
    ['a schema without type', schema({ properties: {} }), 'object'],
    ['a union at the root of a schema', schema({ type: 'object', anyOf: [] }), 'anyOf'],
    [
      'a strict tool that is open',
      { ...base, tools: [{ ...tool, strict: true }] },
      'additionalProperties',
    ],
    ['an unknown tool type', { ...base, tools: [{ type: 'googleSearch' }] }, 'Unknown tool type'],
    [
      'a choice without tools',
      { ...base, tools: [], tool_choice: { type: 'auto' } },
      'while providing tools',
    ],
    [
      'a choice of an unknown tool',
      older({ tools: [tool], tool_choice: { type: 'tool', name: 'x' } }),
      'not found',
    ],
    [
      'a forced tool on the newest models',
      { ...base, tools: [tool], tool_choice: { type: 'any' } },
      'forcing',
    ],
    [
      'a forced tool with thinking',
      older({
        max_tokens: 4000,
        tools: [tool],
        tool_choice: { type: 'any' },
        thinking: { type: 'enabled', budget_tokens: 1024 },
      }),
      'Thinking may not',
    ],
    ['temperature', { ...base, temperature: 0.7 }, 'deprecated'],
    ['top_p', { ...base, top_p: 0.5 }, 'deprecated'],
    ['top_k', { ...base, top_k: 5 }, 'deprecated'],
    ['temperature above 1', older({ temperature: 1.5 }), 'from 0 to 1'],
    ['temperature beside top_p', older({ temperature: 0.5, top_p: 0.5 }), 'both'],
    [
      'temperature with thinking',
      older({
        max_tokens: 4000,
        temperature: 0.5,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      }),
      'only be set to 1',
    ],
    [
      'a budget on a newer model',
      { ...base, thinking: { type: 'enabled', budget_tokens: 2000 } },
      'adaptive',
    ],
    [
      'a budget above max_tokens',
      older({ max_tokens: 1500, thinking: { type: 'enabled', budget_tokens: 2000 } }),
      'greater than',
    ],
    [
      'a small budget',
      older({ max_tokens: 1500, thinking: { type: 'enabled', budget_tokens: 100 } }),
      '1024',
    ],
    ['adaptive thinking on an older model', older({ thinking: { type: 'adaptive' } }), 'adaptive'],
    [
      'thinking off where it cannot be',
      { ...base, thinking: { type: 'disabled' } },
      'cannot be disabled',
    ],
    ['effort on a model without', older({ output_config: { effort: 'low' } }), 'effort'],
    [
      'an output schema with limits',
      {
        ...base,
        output_config: {
          format: { type: 'json_schema', schema: { type: 'string', minLength: 1 } },
        },
      },
      'not supported',
    ],
    ['a max_tokens above the model', { ...base, max_tokens: 200_000 }, 'maximum allowed'],
    ['no max_tokens', { ...base, max_tokens: undefined }, 'max_tokens'],
    ['five cache marks', user([marked, marked, marked, marked, marked]), 'maximum of 4'],
    ['a cache mark on thoughts', turn([{ ...thought, ...mark }, use], [result]), 'cache_control'],
    [
      'a long mark after a short one',
      user([marked, { ...marked, cache_control: { type: 'ephemeral', ttl: '1h' } }]),
      'must not come after',
    ],
    [
      'a picture in SVG',
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: PNG } }]),
      'media type',
    ],
    [
      'a picture with a wrong label',
      user([{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: PNG } }]),
      'appears to be',
    ],
    [
      'base64 with its prefix',
      user([
        {
          type: 'image',
          source: { type: 'base64', media_type: 'image/png', data: `data:image/png;base64,${PNG}` },
        },
      ]),
      'no plain base64',
    ],
    [
      'the last turn being the assistant’s',
      { ...base, messages: [...base.messages, { role: 'assistant', content: 'So' }] },
      'prefill',
    ],
    [
      'a prefill that ends in a blank',
      older({ messages: [...base.messages, { role: 'assistant', content: 'So ' }] }),
      'whitespace',
    ],
    ['a blank stop sequence', { ...base, stop_sequences: ['\n'] }, 'non-whitespace'],
    ['more metadata than user_id', { ...base, metadata: { a: 'b' } }, 'metadata.a'],
    ['an empty system block', { ...base, system: [{ type: 'text', text: '' }] }, 'non-empty'],
    [
      'a system block with a foreign type',
      { ...base, system: [{ type: 'image' }] },
      'system[0].type',
    ],
  ])('%s', (_, body, sentence) => expect(says(body)).toContain(sentence))
})
