/** A tool as `connect.tools` shows it, with what a test says of it. */
export const toolView = (fields: Record<string, unknown> = {}) => ({
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'file',
  installed: true,
  status: 'elsewhere',
  points_to: null,
  old_address: null,
  other_gateway: null,
  other_gateway_before: null,
  problem: null,
  problem_reason: null,
  files: [{ path: '/home/ada/.claude/settings.json', exists: true }],
  wire_format: 'messages',
  needs: { tools: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
  ],
  chosen: null,
  token: null,
  connected_at: null,
  last_call_at: null,
  failed_call: null,
  can_undo: false,
  snippets: [
    { shell: 'bash', path: '~/.bashrc', text: 'export ANTHROPIC_AUTH_TOKEN="<token>"' },
    { shell: 'powershell', path: null, text: '$env:ANTHROPIC_AUTH_TOKEN = "<token>"' },
  ],
  steps: [],
  first_call: null,
  docs_url: 'https://code.claude.com/docs/en/settings',
  read_on: '2026-11-23',
  ...fields,
})

/** The machine that they are on. */
export const machineView = (fields: Record<string, unknown> = {}) => ({
  ...{ home: '/home/ada', kind: 'plain', home_problem: null },
  ...fields,
})

/** The same tool after Apply, before its first call. */
export const connectedView = (fields: Record<string, unknown> = {}) =>
  toolView({
    status: 'here',
    points_to: 'http://127.0.0.1:4747',
    token: { id: 7, name: 'Claude Code' },
    chosen: { main: 'sonnet', small: 'haiku' },
    connected_at: 1_900_000_000,
    can_undo: true,
    ...fields,
  })
