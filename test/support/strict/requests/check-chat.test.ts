import { describe, expect, test } from 'vitest'
import { IssuedStates } from '../answers/issued-state.ts'
import { checkChat } from './check-chat.ts'
import type { Json } from './refusal.ts'
import { PNG, refusedBy } from './refused-by.ts'

const issued = new IssuedStates()
issued.issue({ text: 'Hm.', calls: ['call_1'], said: '', id: 'x' })
const base = { model: 'gpt-5.6-sol', messages: [{ role: 'user', content: 'Hi' }] }
const call = { id: 'call_1', type: 'function', function: { name: 'get', arguments: '{}' } }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'ok' }
const tool = {
  type: 'function',
  function: { name: 'get', parameters: { type: 'object', properties: {} } },
}
const loop = (assistant: Json, ...rest: Json[]) => ({
  ...base,
  tools: [tool],
  reasoning_effort: 'none',
  messages: [...base.messages, { role: 'assistant', content: null, ...assistant }, ...rest],
})
const calls = { tool_calls: [call] }
const named = (name: string) => ({ ...base, tools: [{ type: 'function', function: { name } }] })
const strict = (parameters: Json) => ({
  ...base,
  tools: [{ type: 'function', function: { name: 'get', strict: true, parameters } }],
})
const user = (...content: unknown[]) => ({ ...base, messages: [{ role: 'user', content }] })
const image = (url: string) => user({ type: 'image_url', image_url: { url } })
const deepseek = (body: Json) => ({ ...body, model: 'deepseek-v4' })
const says = (body: Json) => refusedBy(() => checkChat(body, issued))

test.each([
  ['a plain question', base],
  ['a tool loop', loop(calls, result)],
  ['a picture', image(`data:image/png;base64,${PNG}`)],
  [
    'DeepSeek’s loop with its thoughts',
    deepseek(loop({ ...calls, reasoning_content: 'Hm.' }, result)),
  ],
  ['max_tokens on an older model', { ...base, model: 'gpt-4o', max_tokens: 5, temperature: 0.2 }],
])('takes %s', (_, body) => expect(says(body)).toBeNull())

describe('refuses', () => {
  test.each<[string, Json, string]>([
    ['an unknown field', { ...base, foo: 1 }, 'foo'],
    ['top_k', { ...base, top_k: 1 }, 'top_k'],
    [
      'an unknown field of a message',
      loop({ ...calls, reasoning_content: 'x' }, result),
      'reasoning_content',
    ],
    ['cache_control', user({ type: 'text', text: 'x', cache_control: {} }), 'cache_control'],
    ['max_tokens on GPT-5', { ...base, max_tokens: 5 }, 'max_completion_tokens'],
    [
      'max_completion_tokens on a compatible vendor',
      deepseek({ ...base, max_completion_tokens: 5 }),
      'max_completion_tokens',
    ],
    ['temperature on GPT-5', { ...base, temperature: 0.2 }, 'temperature'],
    ['top_p on GPT-5', { ...base, top_p: 0.2 }, 'top_p'],
    ['a penalty on GPT-5', { ...base, presence_penalty: 1 }, 'presence_penalty'],
    ['stop on GPT-5', { ...base, stop: 'x' }, 'stop'],
    ['logprobs on GPT-5', { ...base, logprobs: true }, 'logprobs'],
    [
      'five stop sequences',
      { ...base, model: 'gpt-4o', stop: ['a', 'b', 'c', 'd', 'e'] },
      'at most 4',
    ],
    [
      'reasoning_effort on a model without',
      { ...base, model: 'gpt-4o', reasoning_effort: 'low' },
      'reasoning_effort',
    ],
    ['a call without result', loop(calls, { role: 'user', content: 'x' }), 'did not have response'],
    ['a call at the end', loop(calls), 'did not have response'],
    [
      'a result without call',
      { ...base, messages: [...base.messages, result] },
      'must be a response',
    ],
    ['two results of one call', loop(calls, result, result), 'must be a response'],
    [
      'a user between results',
      loop(
        { tool_calls: [call, { ...call, id: 'call_2' }] },
        result,
        { role: 'user', content: 'x' },
        { ...result, tool_call_id: 'call_2' },
      ),
      'did not have response',
    ],
    ['two calls of one id', loop({ tool_calls: [call, call] }, result), 'unique'],
    [
      'an id that is too long',
      loop(
        { tool_calls: [{ ...call, id: 'x'.repeat(65) }] },
        { ...result, tool_call_id: 'x'.repeat(65) },
      ),
      'too long',
    ],
    ['empty tool_calls', loop({ tool_calls: [] }), 'too short'],
    [
      'arguments that are no JSON',
      loop({ tool_calls: [{ ...call, function: { name: 'get', arguments: '' } }] }, result),
      'JSON object',
    ],
    ['an assistant without anything', loop({}), 'null'],
    [
      'a picture in a tool message',
      loop(calls, {
        ...result,
        content: [{ type: 'image_url', image_url: { url: 'https://a.b/c.png' } }],
      }),
      'not one of: text',
    ],
    ['is_error on a tool message', loop(calls, { ...result, is_error: true }), 'is_error'],
    ['an empty text part', user({ type: 'text', text: '' }), 'empty'],
    ['empty content', user(), 'too short'],
    ['a picture of a wrong type', image(`data:image/bmp;base64,${PNG}`), 'media type'],
    [
      'a file without name',
      user({ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0x' } }),
      'filename',
    ],
    [
      'a bare file',
      user({ type: 'file', file: { file_data: 'JVBERi0x', filename: 'a.pdf' } }),
      'data URL',
    ],
    ['a tool name with a dot', named('a.b'), 'pattern'],
    ['a tool name of 65', named('a'.repeat(65)), 'pattern'],
    ['two tools of one name', { ...base, tools: [tool, tool] }, 'unique'],
    ['no tools in tools', { ...base, tools: [] }, 'too short'],
    ['tool_choice without tools', { ...base, tool_choice: 'auto' }, 'when ‘tools’'],
    [
      'an effort beside functions on GPT-5.6',
      { ...base, model: 'gpt-5.6', tools: [tool], reasoning_effort: 'low' },
      'reasoning_effort',
    ],
    ['no effort beside them', { ...base, model: 'gpt-5.6', tools: [tool] }, 'reasoning_effort'],
    [
      'any effort beside functions on GPT-5.4',
      { ...base, model: 'gpt-5.4', tools: [tool], reasoning_effort: 'none' },
      'reasoning_effort',
    ],
    [
      'parallel_tool_calls on o3',
      { ...base, model: 'o3', tools: [tool], parallel_tool_calls: false },
      'not supported',
    ],
    [
      'a list of nothing in a tool’s schema',
      {
        ...base,
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              parameters: { type: 'object', properties: { a: { type: 'array' } } },
            },
          },
        ],
      },
      'missing items',
    ],
    ['parallel_tool_calls without tools', { ...base, parallel_tool_calls: false }, 'when ‘tools’'],
    [
      'a choice of an unknown tool',
      { ...base, tools: [tool], tool_choice: { type: 'function', function: { name: 'x' } } },
      'not found',
    ],
    [
      'a strict schema that is open',
      strict({ type: 'object', properties: {} }),
      'additionalProperties',
    ],
    [
      'a strict schema with an optional key',
      strict({ type: 'object', properties: { a: {} }, required: [], additionalProperties: false }),
      '‘required’',
    ],
    [
      'stream_options without stream',
      { ...base, stream_options: { include_usage: true } },
      'stream_options',
    ],
    [
      'developer at a compatible vendor',
      deepseek({ ...base, messages: [{ role: 'developer', content: 'x' }, ...base.messages] }),
      'role',
    ],
    [
      'a late system message at a strict template',
      {
        ...base,
        model: 'qwen3-max',
        messages: [...base.messages, { role: 'system', content: 'x' }],
      },
      'at the beginning',
    ],
    ['DeepSeek’s loop without its thoughts', deepseek(loop(calls, result)), 'reasoning_content'],
    [
      'DeepSeek’s thoughts changed',
      deepseek(loop({ ...calls, reasoning_content: 'Ha.' }, result)),
      'not what the model wrote',
    ],
    [
      'a schema format without schema',
      { ...base, response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      'Missing',
    ],
    [
      'a cache mark where there are none',
      {
        ...user({ type: 'text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit' } }),
        model: 'gpt-4o',
      },
      'prompt_cache_breakpoint',
    ],
    ['a long safety_identifier', { ...base, safety_identifier: 'x'.repeat(65) }, '64'],
  ])('%s', (_, body, sentence) => expect(says(body)).toContain(sentence))
})
