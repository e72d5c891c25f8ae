import { join } from 'node:path'
import type { Machine, Tool } from '../tool.ts'
import { extensionFolders } from '../vscode-user.ts'

const dataFolder = ({ env, home }: Machine) =>
  env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data')

/** Its name for any server that speaks like OpenAI's. */
const PROVIDER = 'openai-compatible'

/**
 * The file that its editors' extensions (4 and later) and its command line (3 and later) share. Read
 * in sdk/packages/core/src/types/provider-settings.ts and
 * .../storage/provider-settings-manager.ts of https://github.com/cline/cline at 21cb8d2, and run
 * with the command line 3.0.65.
 */
export const cline: Tool = {
  id: 'cline',
  name: 'Cline',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 64_000 },
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: ['cline'],
    paths: (machine) => [
      dataFolder(machine),
      ...extensionFolders(machine, 'saoudrizwan.claude-dev'),
    ],
  },
  files: (machine) => [
    {
      id: 'providers',
      path:
        machine.env.CLINE_PROVIDER_SETTINGS_PATH ||
        join(dataFolder(machine), 'settings', 'providers.json'),
      format: 'json',
    },
  ],
  edits: ({ address, token, models: { main }, facts }) => {
    const { context, output } = facts(main)
    return [
      { file: 'providers', path: ['version'], value: 1, isDefault: true },
      { file: 'providers', path: ['lastUsedProvider'], value: PROVIDER },
      {
        file: 'providers',
        path: ['providers', PROVIDER],
        value: {
          settings: {
            ...{ provider: PROVIDER, apiKey: token, baseUrl: `${address}/v1`, model: main },
            ...(context !== null && { contextWindow: context }),
            ...(output !== null && { maxTokens: output }),
          },
          // A file without it is taken for an empty one, and written over.
          ...{ updatedAt: '2026-11-23T00:00:00.000Z', tokenSource: 'manual' },
        },
        isRewritten: true,
      },
    ]
  },
  pointsTo: (read) => {
    const used = read('providers', ['lastUsedProvider'])
    if (typeof used !== 'string') return null
    const url = read('providers', ['providers', used, 'settings', 'baseUrl'])
    return typeof url === 'string' ? url : null
  },
  steps: ({ models: { main } }) => [
    {
      message: `For the extension only, if it has another provider: in its settings choose API Provider \`OpenAI Compatible\`, then Model ID \`${main}\`. The command line needs nothing more.`,
      reason: { code: 'cline_extension', model: main },
    },
  ],
  firstCall: 'cline "Say hi"',
  docsUrl: 'https://docs.cline.bot/provider-config/openai-compatible',
  readOn: '2026-11-23',
}
