import { join } from 'node:path'
import type { KeyEdit, Machine, Tool } from '../tool.ts'

/** `CLAUDE_CONFIG_DIR` stands for the whole folder. */
const folder = ({ env, home }: Machine) => env.CLAUDE_CONFIG_DIR || join(home, '.claude')

/**
 * Its settings' `env` is assigned over the shell's variables, so the file is enough. Read in the
 * program's own bundle, 2.1.332, and in https://code.claude.com/docs/en/llm-gateway.
 */
export const claudeCode: Tool = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'file',
  wireFormat: 'messages',
  needs: { tools: true, context: 64_000 },
  userAgents: ['claude-cli'],
  // Its list of a gateway's models leaves out all others, and so does its picker.
  nameOf: (model) => (/^(claude|anthropic)/i.test(model) ? model : `claude-via-${model}`),
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
    { id: 'subagent', label: 'Subagent model' },
  ],
  installed: {
    commands: ['claude'],
    paths: (machine) => [folder(machine), join(machine.home, '.claude.json')],
  },
  files: (machine) => [
    { id: 'settings', path: join(folder(machine), 'settings.json'), format: 'json' },
  ],
  edits: ({ address, token, models }) => {
    const { main, small = main, subagent } = models
    const set = (name: string, value?: string): KeyEdit => ({
      file: 'settings',
      path: ['env', name],
      ...(value !== undefined && { value }),
    })
    return [
      set('ANTHROPIC_BASE_URL', address),
      set('ANTHROPIC_AUTH_TOKEN', token),
      // A key of the shell would be sent beside the token.
      set('ANTHROPIC_API_KEY', ''),
      set('ANTHROPIC_MODEL', main),
      set('ANTHROPIC_DEFAULT_OPUS_MODEL', main),
      set('ANTHROPIC_DEFAULT_SONNET_MODEL', main),
      set('ANTHROPIC_DEFAULT_FABLE_MODEL', main),
      set('ANTHROPIC_DEFAULT_HAIKU_MODEL', small),
      // The old name of the small model would win.
      set('ANTHROPIC_SMALL_FAST_MODEL'),
      set('CLAUDE_CODE_SUBAGENT_MODEL', subagent),
      set('CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY', '1'),
    ]
  },
  pointsTo: (read) => {
    const url = read('settings', ['env', 'ANTHROPIC_BASE_URL'])
    return typeof url === 'string' && url !== '' ? url : null
  },
  variables: (read) => read('settings', ['env']),
  overriddenBy: [
    'ANTHROPIC_SMALL_FAST_MODEL',
    'ANTHROPIC_UNIX_SOCKET',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_USE_FOUNDRY',
  ],
  environment: ({ address, token, models }) => ({
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: token,
    ANTHROPIC_MODEL: models.main,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: models.small ?? models.main,
  }),
  firstCall: 'claude -p "Say hi"',
  docsUrl: 'https://code.claude.com/docs/en/llm-gateway',
  readOn: '2026-11-27',
}
