export const PATCH_GRAMMAR = 'start: begin_patch hunk+ end_patch\nbegin_patch: "*** Begin Patch" LF'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const closed = { type: 'object', properties: {}, required: [], additionalProperties: false }

/** A request as Codex builds it (0.15x): whole history, tools of every kind, nothing stored. */
export const codexBody = {
  model: 'gpt-5.6',
  instructions: 'You are Codex.',
  input: [
    {
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: '<permissions>' }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List files.' }] },
    {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: '**Listing**' }],
      encrypted_content: 'gAAAAABoxC3j',
    },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'call_1' },
    { type: 'function_call_output', call_id: 'call_1', output: 'a.txt' },
    { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'call_2' },
    { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Done!' },
    {
      type: 'function_call',
      name: 'search',
      namespace: 'mcp__docs__',
      arguments: '{}',
      call_id: 'call_3',
    },
    {
      type: 'function_call_output',
      call_id: 'call_3',
      output: [
        { type: 'input_text', text: 'Found' },
        { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}`, detail: 'auto' },
      ],
    },
    {
      type: 'tool_search_call',
      call_id: 'call_4',
      status: 'completed',
      execution: 'client',
      arguments: { query: 'mail' },
    },
    {
      type: 'tool_search_output',
      call_id: 'call_4',
      status: 'completed',
      execution: 'client',
      tools: [{ type: 'function', name: 'send_mail', parameters: closed, strict: false }],
    },
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'function', name: 'late', parameters: closed, strict: false }],
    },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
  ],
  tools: [
    {
      type: 'function',
      name: 'exec_command',
      description: 'Runs a command.',
      strict: false,
      parameters: {
        type: 'object',
        properties: { cmd: { type: 'string' }, yield_time_ms: { type: 'number' } },
        required: ['cmd'],
        additionalProperties: false,
      },
    },
    {
      type: 'custom',
      name: 'apply_patch',
      description: 'Edits files.',
      format: { type: 'grammar', syntax: 'lark', definition: PATCH_GRAMMAR },
    },
    {
      type: 'namespace',
      name: 'mcp__docs__',
      description: 'Documentation.',
      tools: [
        {
          type: 'function',
          name: 'search',
          description: 'Finds.',
          strict: false,
          parameters: closed,
        },
        { type: 'function', name: 'fetch', description: 'Gets.', strict: true, parameters: closed },
      ],
    },
    { type: 'web_search', external_web_access: true },
    {
      type: 'tool_search',
      execution: 'client',
      description: 'Finds tools.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
      },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'xhigh', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'conversation-1',
  service_tier: 'priority',
  text: {
    verbosity: 'low',
    format: { type: 'json_schema', name: 'codex_output_schema', strict: true, schema: closed },
  },
  client_metadata: { session: 's' },
}
