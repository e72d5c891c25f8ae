import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'
import { richSchema, strictSchema } from './settings-parts.ts'

const chatTool = (name: string, more: Json = {}) => ({
  type: 'function',
  function: { name, parameters: richSchema, ...more },
})
const hi = { role: 'user', content: 'Hi' }
/** Settings that such a client may send with a plain question; no upstream has to refuse any of them. */
export const chatSettings: readonly [string, WireFormat, Json][] = [
  [
    'all sampling',
    'chat',
    {
      temperature: 1.7,
      top_p: 0.5,
      seed: 1,
      presence_penalty: 1,
      frequency_penalty: -1,
      logit_bias: { 5: 1 },
      stop: ['a', '\n', 'b', 'c'],
    },
  ],
  ['a small limit', 'chat', { max_completion_tokens: 5, reasoning_effort: 'high' }],
  [
    'ids and tiers',
    'chat',
    {
      user: 'u'.repeat(200),
      safety_identifier: 's',
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      service_tier: 'flex',
      verbosity: 'low',
      store: true,
      prediction: { type: 'content', content: 'x' },
    },
  ],
  ...['none', 'minimal', 'low', 'medium', 'xhigh', 'max'].map(
    (effort): [string, WireFormat, Json] => [
      `effort ${effort}`,
      'chat',
      { reasoning_effort: effort },
    ],
  ),
  [
    'a strict schema',
    'chat',
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'a', strict: true, schema: strictSchema },
      },
    },
  ],
  [
    'a rich schema',
    'chat',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: richSchema } } },
  ],
  [
    'JSON',
    'chat',
    {
      messages: [{ role: 'user', content: 'Answer in JSON.' }],
      response_format: { type: 'json_object' },
    },
  ],
  [
    'one tool forced',
    'chat',
    {
      tools: [chatTool('get'), chatTool('put')],
      tool_choice: { type: 'function', function: { name: 'put' } },
      parallel_tool_calls: false,
    },
  ],
  [
    'any tool forced, with thought',
    'chat',
    { tools: [chatTool('get')], tool_choice: 'required', reasoning_effort: 'high' },
  ],
  ['tools but none now', 'chat', { tools: [chatTool('get')], tool_choice: 'none' }],
  [
    'some of the tools',
    'chat',
    {
      tools: [chatTool('get'), chatTool('put')],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [{ type: 'function', function: { name: 'get' } }],
        },
      },
    },
  ],
  [
    'a strict tool',
    'chat',
    { tools: [chatTool('get', { strict: true, parameters: strictSchema })] },
  ],
  [
    'a freeform tool',
    'chat',
    {
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'patch',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
          },
        },
      ],
    },
  ],
  [
    'old functions',
    'chat',
    {
      functions: [{ name: 'get', parameters: richSchema }],
      function_call: { name: 'get' },
      messages: [
        hi,
        { role: 'assistant', content: null, function_call: { name: 'get', arguments: '{}' } },
        { role: 'function', name: 'get', content: 'ok' },
      ],
    },
  ],
  ['no tools in a list', 'chat', { tools: [] }],
  [
    'system text all over',
    'chat',
    {
      messages: [
        { role: 'system', content: 'a' },
        { role: 'developer', content: [{ type: 'text', text: 'b' }] },
        hi,
        { role: 'system', content: 'c' },
        { ...hi, name: 'Jo' },
        { role: 'assistant', content: 'x', refusal: null },
        { role: 'assistant', content: '', refusal: 'No.' },
        hi,
      ],
    },
  ],
  ['web search', 'chat', { web_search_options: {} }],
  [
    'cache marks',
    'chat',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
            { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    },
  ],
]
