import type { WireFormat } from '../../../../main/convert/exchange.ts'
import type { Json } from '../requests/refusal.ts'
import { pdf, richSchema, strictSchema } from './settings-parts.ts'

const itemHi = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }
const flatTool = (name: string, more: Json = {}) => ({
  type: 'function',
  name,
  parameters: richSchema,
  strict: false,
  ...more,
})

/** Settings that such a client may send with a plain question; no upstream has to refuse any of them. */
export const responsesSettings: readonly [string, WireFormat, Json][] = [
  [
    'all sampling',
    'responses',
    {
      temperature: 0.5,
      top_p: 0.5,
      max_output_tokens: 16,
      truncation: 'auto',
      max_tool_calls: 3,
      service_tier: 'priority',
      safety_identifier: 's',
      metadata: { a: 'b' },
      prompt_cache_key: 'k'.repeat(64),
      user: 'u',
    },
  ],
  [
    'a rich schema',
    'responses',
    {
      text: {
        format: { type: 'json_schema', name: 'a', schema: richSchema, strict: false },
        verbosity: 'high',
      },
    },
  ],
  [
    'a strict tool by default',
    'responses',
    { tools: [{ type: 'function', name: 'get', parameters: strictSchema }] },
  ],
  [
    'one tool forced',
    'responses',
    {
      tools: [flatTool('get'), flatTool('put')],
      tool_choice: { type: 'function', name: 'put' },
      parallel_tool_calls: false,
      reasoning: { effort: 'xhigh' },
    },
  ],
  [
    'some of the tools',
    'responses',
    {
      tools: [flatTool('get'), flatTool('put')],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'get' }],
      },
    },
  ],
  [
    'tools of the vendor',
    'responses',
    {
      tools: [
        { type: 'web_search', search_context_size: 'low' },
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'image_generation' },
        { type: 'local_shell' },
        flatTool('get'),
      ],
    },
  ],
  [
    'a search in the history',
    'responses',
    {
      input: [
        itemHi,
        {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', query: 'x' },
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: 'Found.',
              annotations: [
                {
                  type: 'url_citation',
                  url: 'https://a.example',
                  title: 'T',
                  start_index: 0,
                  end_index: 5,
                },
              ],
            },
          ],
        },
        itemHi,
      ],
    },
  ],
  [
    'a local shell in the history',
    'responses',
    {
      tools: [{ type: 'local_shell' }],
      input: [
        itemHi,
        {
          type: 'local_shell_call',
          id: 'lsh_1',
          call_id: 'call_1',
          status: 'completed',
          action: { type: 'exec', command: ['ls'], env: {} },
        },
        { type: 'local_shell_call_output', call_id: 'call_1', output: 'a.txt' },
      ],
    },
  ],
  [
    'a PDF',
    'responses',
    {
      input: [
        {
          role: 'user',
          content: [
            {
              type: 'input_file',
              filename: 'a.pdf',
              file_data: `data:application/pdf;base64,${pdf}`,
            },
          ],
        },
      ],
    },
  ],
  [
    'an output that is missing, one that is alone',
    'responses',
    {
      tools: [flatTool('get')],
      input: [
        itemHi,
        { type: 'function_call', call_id: 'call_1', name: 'get', arguments: '' },
        { type: 'function_call_output', call_id: 'call_9', output: '' },
      ],
    },
  ],
]
