import { describe, expect, test } from 'vitest'
import { IssuedStates } from '../answers/issued-state.ts'
import { checkResponses } from './check-responses.ts'
import type { Json } from './refusal.ts'
import { PNG, refusedBy } from './refused-by.ts'

const issued = new IssuedStates()
const state = issued.issue({ text: 'Hm.', calls: ['call_1'], said: '', id: 'rs_1' })
const base = {
  model: 'gpt-5.6-sol',
  store: false,
  input: [{ role: 'user', content: 'Hi' }] as Json[],
}
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: state.data }
const call = { type: 'function_call', call_id: 'call_1', name: 'get', arguments: '{}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'ok' }
const free = { call_id: 'call_9', name: 'get' }
const freeCall = { ...call, ...free }
const freeOutput = { ...output, call_id: 'call_9' }
const tool = { type: 'function', name: 'get', strict: false, parameters: {} }
const items = (...more: Json[]) => ({ ...base, input: [...base.input, ...more] })
const says = (body: Json) => refusedBy(() => checkResponses(body, issued))

test.each([
  ['a plain question', { ...base, input: 'Hi' }],
  ['a loop with its reasoning', items(reasoning, call, output)],
  ['reasoning without its id', items({ ...reasoning, id: undefined }, call, output)],
  ['a call that came from elsewhere', items(freeCall, freeOutput)],
  [
    'a picture in an output',
    items(freeCall, {
      ...freeOutput,
      output: [{ type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' }],
    }),
  ],
  [
    'a namespace',
    {
      ...base,
      tools: [
        {
          type: 'namespace',
          name: 'mcp',
          description: 'x',
          tools: [{ type: 'function', name: 'get', parameters: {} }],
        },
      ],
    },
  ],
])('takes %s', (_, body) => expect(says(body)).toBeNull())

describe('refuses', () => {
  test.each<[string, Json, string]>([
    ['an unknown field', { ...base, foo: 1 }, 'foo'],
    ['messages', { ...base, messages: [] }, 'messages'],
    ['an unknown field of an item', items({ ...freeCall, foo: 1 }, freeOutput), 'foo'],
    [
      'cache_control',
      items({ role: 'user', content: [{ type: 'input_text', text: 'x', cache_control: {} }] }),
      'cache_control',
    ],
    ['empty input', { ...base, input: [] }, 'empty'],
    ['a call without output', items(freeCall), 'No tool output'],
    ['an output without call', items(output), 'No tool call'],
    ['an output before its call', items(freeOutput, freeCall), 'No tool output'],
    ['two outputs of a call', items(freeCall, freeOutput, freeOutput), 'unique'],
    [
      'an output of another kind',
      items(freeCall, { ...freeOutput, type: 'custom_tool_call_output' }),
      'another kind',
    ],
    [
      'a call_id that is too long',
      items({ ...freeCall, call_id: 'x'.repeat(65) }, { ...output, call_id: 'x'.repeat(65) }),
      'too long',
    ],
    [
      'arguments that are no JSON',
      items({ ...freeCall, arguments: '' }, freeOutput),
      'JSON object',
    ],
    [
      'an item id of another kind',
      items({ ...freeCall, id: 'toolu_1' }, freeOutput),
      'begins with',
    ],
    ['a call without its reasoning', items(call, output), 'without its required ‘reasoning’'],
    [
      'reasoning without its item',
      items(reasoning, { role: 'user', content: 'x' }),
      'following item',
    ],
    ['reasoning at the end', items(reasoning), 'following item'],
    ['reasoning before another item', items(reasoning, freeCall, freeOutput), 'not its own'],
    [
      'reasoning by its id alone',
      items({ type: 'reasoning', id: 'rs_1', summary: [] }, call, output),
      'not found',
    ],
    [
      'a foreign encrypted text',
      items({ ...reasoning, encrypted_content: 'abc' }, call, output),
      'could not be verified',
    ],
    ['an id of another item', items({ ...reasoning, id: 'rs_2' }, call, output), 'not that of'],
    [
      'a summary that was changed',
      items({ ...reasoning, summary: [{ type: 'summary_text', text: 'Ha.' }] }, call, output),
      'changed',
    ],
    [
      'reasoning without summary',
      items({ type: 'reasoning', encrypted_content: state.data }, call, output),
      'summary',
    ],
    [
      'an input part in an assistant message',
      items({ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
      'output_text',
    ],
    [
      'an output part in a user message',
      items({ role: 'user', content: [{ type: 'output_text', text: 'x' }] }),
      'input_text',
    ],
    [
      'an empty text',
      items({ role: 'user', content: [{ type: 'input_text', text: '' }] }),
      'empty',
    ],
    ['a role of tools', items({ role: 'tool', content: 'x' }), 'role'],
    [
      'nested function tools',
      { ...base, tools: [{ type: 'function', function: { name: 'get' } }] },
      'function',
    ],
    [
      'a tool whose schema is taken for strict',
      {
        ...base,
        tools: [
          { ...tool, strict: undefined, parameters: { type: 'object', properties: { a: {} } } },
        ],
      },
      'additionalProperties',
    ],
    ['a tool name of 65', { ...base, tools: [{ ...tool, name: 'a'.repeat(65) }] }, 'pattern'],
    ['two tools of one name', { ...base, tools: [tool, tool] }, 'unique'],
    ['an unknown tool', { ...base, tools: [{ type: 'web_search_20250305' }] }, 'not one of'],
    [
      'a choice of an unknown tool',
      { ...base, tools: [tool], tool_choice: { type: 'function', name: 'x' } },
      'not found',
    ],
    [
      'a nested choice',
      { ...base, tools: [tool], tool_choice: { type: 'function', function: { name: 'get' } } },
      'function',
    ],
    ['temperature on GPT-5', { ...base, temperature: 0.2 }, 'temperature'],
    ['a small limit', { ...base, max_output_tokens: 5 }, '16'],
    ['stop', { ...base, stop: ['a'] }, 'stop'],
    ['an unknown include', { ...base, include: ['usage'] }, 'include[0]'],
    [
      'include_usage',
      { ...base, stream: true, stream_options: { include_usage: true } },
      'include_usage',
    ],
    [
      'a schema in a nest',
      { ...base, text: { format: { type: 'json_schema', json_schema: {} } } },
      'json_schema',
    ],
    [
      'a strict schema that is open',
      {
        ...base,
        text: {
          format: {
            type: 'json_schema',
            name: 'a',
            strict: true,
            schema: { type: 'object', properties: {} },
          },
        },
      },
      'additionalProperties',
    ],
  ])('%s', (_, body, sentence) => expect(says(body)).toContain(sentence))
})
