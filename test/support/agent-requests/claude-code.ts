import { PNG } from '../strict/requests/refused-by.ts'

const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } }

/** Headers of Claude Code 2.1: https://code.claude.com/docs/en/llm-gateway */
export const claudeCodeHeaders = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,mid-conversation-system-2026-04-07,effort-2025-11-24,advanced-tool-use-2025-11-20',
  'user-agent': 'claude-cli/2.1.181 (external, cli)',
  'x-app': 'cli',
  'x-claude-code-session-id': '0b6f1c0e-6a5b-4df8-9c55-6a0f5f0a4f11',
  'x-stainless-lang': 'js',
}

const tools = [
  {
    name: 'Bash',
    description: 'Executes a bash command.',
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command to execute' },
        timeout: { type: 'number', description: 'Optional timeout in milliseconds' },
        run_in_background: { type: 'boolean' },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  {
    name: 'Read',
    description: 'Reads a file.',
    input_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        file_path: { type: 'string' },
        offset: { type: 'integer', minimum: 0, maximum: 9007199254740991 },
        limit: { type: 'integer', exclusiveMinimum: 0 },
      },
      required: ['file_path'],
      additionalProperties: false,
    },
  },
  {
    name: 'TodoWrite',
    description: 'Keeps the list of what is to be done.',
    input_schema: {
      type: 'object',
      properties: {
        todos: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              content: { type: 'string', minLength: 1 },
              status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
            },
            required: ['content', 'status'],
            additionalProperties: false,
          },
        },
      },
      required: ['todos'],
    },
  },
  {
    name: 'mcp__claude_ai_Some_Very_Long_Server_Name__query_the_database_with_many_words_in_its_name',
    description: 'A tool of an MCP server.',
    defer_loading: true,
    input_schema: { type: 'object', properties: { q: { type: ['string', 'null'] } } },
  },
  {
    name: 'Done',
    description: 'No arguments.',
    input_schema: { type: 'object', properties: {} },
    ...cached,
  },
]

const frame = {
  max_tokens: 32_000,
  stream: true,
  system: [
    {
      type: 'text',
      text: 'x-anthropic-billing-header: cc_version=2.1.181.8f2; cc_entrypoint=cli; cch=00000;',
    },
    { type: 'text', text: 'You are Claude Code, Anthropic’s official CLI for Claude.', ...cached },
    { type: 'text', text: 'You help with software.\n\n# Tone\nBe short.', ...cached },
  ],
  tools,
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: {
    user_id:
      '{"device_id":"5f2c","account_uuid":"","session_id":"0b6f1c0e-6a5b-4df8-9c55-6a0f5f0a4f11"}',
  },
}

const firstTurn = {
  role: 'user',
  content: [
    { type: 'text', text: '<system-reminder>\nToday is 2026-11-21.\n</system-reminder>' },
    { type: 'text', text: 'What is in the picture?' },
  ],
}

/** The first call of a conversation. */
export const claudeCodeFirst = (model: string) => ({ ...frame, model, messages: [firstTurn] })

/** A later call: thoughts of the real Claude, parallel calls, a picture, an error, a system turn. */
export const claudeCodeLater = (model: string) => ({
  ...frame,
  model,
  messages: [
    firstTurn,
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: 'I read the file first.',
          signature: 'EqQBCkYIBxgCKkBq4kcd9Q==',
        },
        { type: 'redacted_thinking', data: 'EmwKAhgBEgyGZ2Nv' },
        { type: 'text', text: 'I read it.' },
        {
          type: 'tool_use',
          id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
          name: 'Read',
          input: { file_path: '/a.png' },
        },
        { type: 'tool_use', id: 'toolu_01ZyXwVuTsRqPoNmLkJiHgFe', name: 'Done', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_01AbCdEfGhIjKlMnOpQrStUv',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_01ZyXwVuTsRqPoNmLkJiHgFe',
          content: '<tool_use_error>Nothing is done yet.</tool_use_error>',
          is_error: true,
        },
        {
          type: 'text',
          text: '<system-reminder>The list is empty.</system-reminder>',
          cache_control: { type: 'ephemeral' },
        },
      ],
    },
    { role: 'system', content: 'The user switched to plan mode.' },
  ],
})

/** A title: small, without tools or thinking. */
export const claudeCodeTitle = (model: string) => ({
  model,
  max_tokens: 512,
  stream: true,
  tools: [],
  temperature: 1,
  system: [frame.system[0], { type: 'text', text: 'Write a title of a few words.' }],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is in the picture?' }] }],
  output_config: {
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
    },
  },
  metadata: frame.metadata,
})
