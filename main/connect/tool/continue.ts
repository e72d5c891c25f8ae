import { join } from 'node:path'
import type { KeyEdit, Machine, Tool } from '../tool.ts'
import { extensionFolders } from '../vscode-user.ts'

const folder = ({ env, home }: Machine) => env.CONTINUE_GLOBAL_DIR || join(home, '.continue')

const NAME = 'Switchyard'

/**
 * One more model in its list. Its project has ended; 2.0.0 is its last version. Read in
 * core/util/paths.ts, core/llm/toolSupport.ts and docs/reference.mdx of
 * https://github.com/continuedev/continue at d0a3c0b, and run with the command line 1.5.47.
 */
export const continueDev: Tool = {
  id: 'continue',
  name: 'Continue',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 16_000 },
  slots: [{ id: 'main', label: 'Model' }],
  installed: {
    commands: ['cn'],
    paths: (machine) => [folder(machine), ...extensionFolders(machine, 'continue.continue')],
  },
  files: (machine) => [
    { id: 'config', path: join(folder(machine), 'config.yaml'), format: 'yaml' },
  ],
  edits: ({ address, token, models: { main }, facts }) => {
    const { context, output, images } = facts(main)
    const needed = { name: 'Local', version: '1.0.0', schema: 'v1' }
    const isKnown = context !== null && output !== null
    return [
      ...Object.entries(needed).map(
        ([key, value]): KeyEdit => ({ file: 'config', path: [key], value, isDefault: true }),
      ),
      {
        file: 'config',
        path: ['models', { entry: { name: NAME } }],
        value: {
          ...{ provider: 'openai', model: main, apiBase: `${address}/v1`, apiKey: token },
          // It knows by their names which models of other vendors have tools and take images.
          capabilities: ['tool_use', ...(images ? ['image_input'] : [])],
          roles: ['chat', 'edit', 'apply'],
          ...(isKnown && {
            defaultCompletionOptions: { contextLength: context, maxTokens: output },
          }),
        },
      },
    ]
  },
  pointsTo: (read) => {
    const url = read('config', ['models', { entry: { name: NAME } }, 'apiBase'])
    return typeof url === 'string' ? url : null
  },
  warnings: (_read, machine) =>
    machine.exists(join(folder(machine), 'config.ts'))
      ? [
          {
            message: 'config.ts beside this file may change its models.',
            reason: { code: 'continue_config' },
          },
        ]
      : [],
  steps: () => [
    {
      message: `Choose \`${NAME}\` in Continue's list of models.`,
      reason: { code: 'continue_choose', name: NAME },
    },
  ],
  docsUrl: 'https://docs.continue.dev/reference',
  readOn: '2026-11-23',
}
