import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'
import { PNG } from '../requests/refused-by.ts'
import { pdf, richSchema, strictSchema } from './settings-parts.ts'

const claudeTool = (name: string, more: Json = {}) => ({ name, input_schema: richSchema, ...more })
const hi = { role: 'user', content: 'Hi' }
const mark = { cache_control: { type: 'ephemeral' } }

/** Settings that such a client may send with a plain question; no upstream has to refuse any of them. */
export const messagesSettings: readonly [string, WireFormat, Json][] = [
  [
    'all sampling',
    'messages',
    { temperature: 0.5, top_p: 0.5, top_k: 5, stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] },
  ],
  [
    'a budget',
    'messages',
    { max_tokens: 20_000, thinking: { type: 'enabled', budget_tokens: 15_000 } },
  ],
  ['no thinking', 'messages', { thinking: { type: 'disabled' } }],
  ['thinking between tools', 'messages', { thinking: { type: 'between_tools' } }],
  [
    'adaptive, most effort',
    'messages',
    { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'max' } },
  ],
  [
    'a schema',
    'messages',
    { output_config: { format: { type: 'json_schema', schema: strictSchema } } },
  ],
  [
    'a forced tool',
    'messages',
    {
      tools: [claudeTool('get')],
      tool_choice: { type: 'tool', name: 'get', disable_parallel_tool_use: true },
    },
  ],
  [
    'tools but none now',
    'messages',
    {
      tools: [
        claudeTool('get', {
          strict: true,
          input_schema: strictSchema,
          eager_input_streaming: true,
          input_examples: [{ name: 'x' }],
        }),
      ],
      tool_choice: { type: 'none' },
    },
  ],
  [
    'tools of the vendor',
    'messages',
    {
      tools: [
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
        { type: 'web_fetch_20250910', name: 'web_fetch' },
        { type: 'code_execution_20250825', name: 'code_execution' },
        { type: 'bash_20250124', name: 'bash' },
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
        claudeTool('get'),
      ],
    },
  ],
  [
    'tiers',
    'messages',
    {
      service_tier: 'standard_only',
      speed: 'fast',
      metadata: { user_id: 'u'.repeat(200) },
      inference_geo: 'eu',
      diagnostics: {},
    },
  ],
  [
    'marks everywhere',
    'messages',
    {
      system: [{ type: 'text', text: 'a', ...mark }],
      tools: [claudeTool('get', mark)],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', ...mark },
            { type: 'text', text: 'b', ...mark },
          ],
        },
      ],
    },
  ],
  [
    'documents',
    'messages',
    {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              title: 'T',
              context: 'C',
              citations: { enabled: true },
              source: { type: 'text', media_type: 'text/plain', data: 'plain' },
            },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: pdf },
            },
            {
              type: 'document',
              source: { type: 'content', content: [{ type: 'text', text: 'inner' }] },
            },
            {
              type: 'search_result',
              source: 'https://a.example',
              title: 'T',
              content: [{ type: 'text', text: 'found' }],
            },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: `\n${PNG}\n` },
            },
          ],
        },
      ],
    },
  ],
  [
    'a search in the history',
    'messages',
    {
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            {
              type: 'server_tool_use',
              id: 'srvtoolu_1',
              name: 'web_search',
              input: { query: 'x' },
            },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [
                {
                  type: 'web_search_result',
                  url: 'https://a.example',
                  title: 'T',
                  encrypted_content: 'abc',
                  page_age: null,
                },
              ],
            },
            {
              type: 'text',
              text: 'Found.',
              citations: [
                {
                  type: 'web_search_result_location',
                  url: 'https://a.example',
                  title: 'T',
                  encrypted_index: 'i',
                  cited_text: 'c',
                },
              ],
            },
          ],
        },
        hi,
      ],
    },
  ],
  [
    'odd results',
    'messages',
    {
      tools: [claudeTool('get')],
      messages: [
        hi,
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 't1', name: 'get', input: {} },
            { type: 'tool_use', id: 't2', name: 'get', input: {} },
            { type: 'tool_use', id: 't3', name: 'get', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't2' },
            {
              type: 'tool_result',
              tool_use_id: 't1',
              content: [
                {
                  type: 'document',
                  source: { type: 'base64', media_type: 'application/pdf', data: pdf },
                },
                {
                  type: 'search_result',
                  source: 's',
                  title: 'T',
                  content: [{ type: 'text', text: 'x' }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
]
