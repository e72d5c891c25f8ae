import { PNG } from '../strict/requests/refused-by.ts'

export const codexHeaders = {
  originator: 'codex_cli_rs',
  'user-agent': 'codex_cli_rs/0.160.0 (Linux; x86_64) xterm',
  'session-id': '019a5d1e-6f53-7b52-9d0c-5f3b9d1f7a10',
  'thread-id': '019a5d1e-6f53-7b52-9d0c-5f3b9d1f7a10',
  accept: 'text/event-stream',
}

const grammar = `start: begin_patch hunk+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?
hunk: add_hunk
add_hunk: "*** Add File: " filename LF add_line+
filename: /(.+)/
add_line: "+" /(.*)/ LF
%import common.LF`

const frame = {
  instructions: 'You are Codex, a coding agent.\nBe precise.',
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      description: 'Runs a command in a PTY.',
      strict: false,
      parameters: {
        type: 'object',
        properties: {
          cmd: { type: 'string', description: 'Shell command to execute.' },
          yield_time_ms: { type: 'number' },
          with_escalated_permissions: { type: 'boolean' },
        },
        required: ['cmd'],
        additionalProperties: false,
      },
    },
    {
      type: 'function',
      name: 'update_plan',
      description: 'Updates the plan.',
      strict: false,
      parameters: {
        type: 'object',
        properties: {
          plan: {
            type: 'array',
            items: {
              type: 'object',
              properties: { step: { type: 'string' }, status: { type: 'string' } },
              required: ['step', 'status'],
              additionalProperties: false,
            },
          },
        },
        required: ['plan'],
        additionalProperties: false,
      },
    },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files. This is a FREEFORM tool, so do not wrap the patch in JSON.',
      format: { type: 'grammar', syntax: 'lark', definition: grammar },
    },
    {
      type: 'namespace',
      name: 'mcp__github',
      description: 'Tools of the server github.',
      tools: [
        {
          type: 'function',
          name: 'search_issues',
          description: 'Searches.',
          strict: false,
          parameters: {
            type: 'object',
            properties: {
              query: { type: 'string' },
              labels: { type: ['array', 'null'], items: { type: 'string' } },
            },
            required: ['query'],
          },
        },
        {
          type: 'function',
          name: 'list',
          description: 'Lists.',
          strict: false,
          parameters: { type: 'object', properties: {} },
        },
      ],
    },
    { type: 'web_search' },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '019a5d1e-6f53-7b52-9d0c-5f3b9d1f7a10',
  text: { verbosity: 'low' },
  client_metadata: { 'x-codex-installation-id': '2f1d' },
}

const firstItems = [
  {
    type: 'message',
    role: 'developer',
    content: [
      {
        type: 'input_text',
        text: '<permissions instructions>Ask first.</permissions instructions>',
      },
    ],
  },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: '<environment_context><cwd>/work</cwd></environment_context>' },
    ],
  },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: 'Look at this.' },
      { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
    ],
  },
]

export const codexFirst = (model: string) => ({ ...frame, model, input: firstItems })

/** A later call: encrypted thoughts of OpenAI, function, custom and namespaced calls with their outputs. */
export const codexLater = (model: string) => ({
  ...frame,
  model,
  input: [
    ...firstItems,
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: '**Looking**' }],
      encrypted_content: 'gAAAAABpForeign',
    },
    {
      type: 'message',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'I look.' }],
    },
    {
      type: 'function_call',
      call_id: 'call_aAbBcCdDeEfFgGhH',
      name: 'exec_command',
      arguments: '{"cmd":"ls -la","yield_time_ms":1000}',
    },
    {
      type: 'custom_tool_call',
      status: 'completed',
      call_id: 'call_patch',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Add File: a.txt\n+größer "x"\n*** End Patch',
    },
    {
      type: 'function_call',
      call_id: 'call_mcp',
      name: 'search_issues',
      namespace: 'mcp__github',
      arguments: '{"query":"bug"}',
    },
    {
      type: 'function_call_output',
      call_id: 'call_aAbBcCdDeEfFgGhH',
      output: 'Exit code: 0\na.txt',
    },
    { type: 'custom_tool_call_output', call_id: 'call_patch', output: 'Success. A a.txt' },
    {
      type: 'function_call_output',
      call_id: 'call_mcp',
      output: [
        { type: 'input_text', text: '3 issues' },
        { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
      ],
    },
    {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: 'The user is away.' }],
    },
  ],
})

/** Codex asked for an answer in a schema (`codex exec --output-schema`). */
export const codexSchema = (model: string) => ({
  ...codexFirst(model),
  text: {
    verbosity: 'low',
    format: {
      type: 'json_schema',
      name: 'codex_output_schema',
      strict: true,
      schema: {
        type: 'object',
        properties: { ok: { type: 'boolean' }, note: { type: ['string', 'null'] } },
        required: ['ok', 'note'],
        additionalProperties: false,
      },
    },
  },
})
