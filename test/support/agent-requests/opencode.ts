import { PNG } from '../strict/requests/refused-by.ts'

export const openCodeHeaders = { 'user-agent': 'opencode/1.2.0 ai-sdk/openai-compatible/3.0.92' }

const frame = {
  max_tokens: 32_000,
  temperature: 0.55,
  top_p: 1,
  tools: [
    {
      type: 'function',
      function: {
        name: 'bash',
        description: 'Runs a command.',
        parameters: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: {
            command: { type: 'string' },
            timeout: { type: 'number', exclusiveMinimum: 0, maximum: 9007199254740991 },
          },
          required: ['command'],
          additionalProperties: false,
        },
      },
    },
    {
      type: 'function',
      function: {
        name: 'todoread',
        description: 'Reads the list.',
        parameters: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: {},
          additionalProperties: false,
        },
      },
    },
  ],
  tool_choice: 'auto',
  stream: true,
  stream_options: { include_usage: true },
}

const opening = [
  { role: 'system', content: 'You are opencode, an interactive CLI tool.' },
  { role: 'system', content: 'Here is some useful information about the environment.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look at this.' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    ],
  },
]

export const openCodeFirst = (model: string) => ({ ...frame, model, messages: opening })

/** A later call: reasoning beside parallel calls, one with empty content. */
export const openCodeLater = (model: string) => ({
  ...frame,
  model,
  messages: [
    ...opening,
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'I list the files.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'bash', arguments: '{"command":"ls"}' },
        },
        {
          id: 'toolu_vrtx_01|x',
          type: 'function',
          function: { name: 'todoread', arguments: '{}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
    { role: 'tool', tool_call_id: 'toolu_vrtx_01|x', content: '' },
    { role: 'assistant', content: 'There is one file.', reasoning_content: 'Done.' },
    { role: 'user', content: 'Go on.' },
  ],
})
