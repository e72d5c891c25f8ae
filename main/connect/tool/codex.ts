import { join } from 'node:path'
import type { Sentence } from '../../base/reason.ts'
import { type KeyEdit, type Machine, PROVIDER_ID, type Tool } from '../tool.ts'

const folder = ({ env, home }: Machine) => env.CODEX_HOME || join(home, '.codex')

const profileWarning: Sentence = {
  message: 'config.toml has a "profile" key, which current versions of Codex refuse to start with.',
  reason: { code: 'codex_profile' },
}

/** Its picker and its app filter by the provider, even with --all: https://github.com/openai/codex/issues/20165 */
const sessionsWarning: Sentence = {
  message:
    'Codex lists only sessions of the provider in use: earlier ones come back with Undo. To continue one now, run `codex resume` with its id.',
  reason: { code: 'codex_sessions' },
}

const hasSessions = (machine: Machine) => machine.exists(join(folder(machine), 'sessions'))

/**
 * A provider of our own with the key in the file; `auth.json` is not touched, and no login is asked
 * for. Read in 0.169.0 (codex-rs/model-provider-info/src/lib.rs, codex-rs/config) and in
 * https://developers.openai.com/codex/config-advanced.
 */
export const codex: Tool = {
  id: 'codex',
  name: 'Codex',
  kind: 'file',
  wireFormat: 'responses',
  needs: { tools: true, context: 64_000 },
  userAgents: ['codex'],
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'subagent', label: 'Subagent model' },
  ],
  installed: { commands: ['codex'], paths: (machine) => [folder(machine)] },
  files: (machine) => [
    { id: 'config', path: join(folder(machine), 'config.toml'), format: 'toml' },
  ],
  edits: ({ address, token, models: { main, subagent }, facts }) => {
    const { context } = facts(main)
    const set = (path: string[], value: KeyEdit['value']): KeyEdit => ({
      file: 'config',
      path,
      ...(value !== undefined && { value }),
    })
    return [
      set(['model'], main),
      set(['model_provider'], PROVIDER_ID),
      // An old profile stops the program, and a window of another model would be wrong for ours.
      ...(context === null ? [] : [set(['model_context_window'], context)]),
      set(['model_providers', PROVIDER_ID], {
        name: 'Switchyard',
        base_url: `${address}/v1`,
        experimental_bearer_token: token,
        wire_api: 'responses',
      }),
      ...(subagent === undefined ? [] : [set(['agents', 'default_subagent_model'], subagent)]),
    ]
  },
  pointsTo: (read) => {
    const provider = read('config', ['model_provider'])
    if (typeof provider !== 'string') {
      const base = read('config', ['openai_base_url'])
      return typeof base === 'string' ? base : null
    }
    const url = read('config', ['model_providers', provider, 'base_url'])
    return typeof url === 'string' ? url : null
  },
  warnings: (read, machine) => [
    ...(read('config', ['profile']) === undefined ? [] : [profileWarning]),
    ...(read('config', ['model_provider']) === PROVIDER_ID || !hasSessions(machine)
      ? []
      : [sessionsWarning]),
  ],
  firstCall: 'codex exec --skip-git-repo-check "Say hi"',
  docsUrl: 'https://developers.openai.com/codex/config-advanced',
  readOn: '2026-11-23',
}
