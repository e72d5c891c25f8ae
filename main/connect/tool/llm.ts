import { join } from 'node:path'
import { type Machine, PROVIDER_ID, type Tool } from '../tool.ts'

/** The application folder of the Python package Click, which it uses. */
function folder({ env, home, platform }: Machine): string {
  if (env.LLM_USER_PATH) return env.LLM_USER_PATH
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env.APPDATA || join(home, 'AppData', 'Roaming'),
  }
  const base = folders[platform] ?? (env.XDG_CONFIG_HOME || join(home, '.config'))
  return join(base, 'io.datasette.llm')
}

/**
 * One more model, with its key among the keys. Read in docs/other-models.md and
 * llm/default_plugins/openai_models.py of https://github.com/simonw/llm at f3f4f29, and run with 0.36.
 */
export const llm: Tool = {
  id: 'llm',
  name: 'llm',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: false, context: null },
  slots: [{ id: 'main', label: 'Model' }],
  installed: { commands: ['llm'], paths: (machine) => [folder(machine)] },
  files: (machine) => [
    { id: 'models', path: join(folder(machine), 'extra-openai-models.yaml'), format: 'yaml' },
    { id: 'keys', path: join(folder(machine), 'keys.json'), format: 'json' },
  ],
  edits: ({ address, token, models: { main }, facts }) => [
    {
      file: 'models',
      path: [{ entry: { model_id: PROVIDER_ID } }],
      value: {
        ...{ model_name: main, api_base: `${address}/v1`, api_key_name: PROVIDER_ID },
        supports_tools: true,
        // Without it, it refuses attachments.
        ...(facts(main).images && { vision: true }),
      },
    },
    { file: 'keys', path: [PROVIDER_ID], value: token },
  ],
  pointsTo: (read) => {
    const url = read('models', [{ entry: { model_id: PROVIDER_ID } }, 'api_base'])
    return typeof url === 'string' ? url : null
  },
  steps: () => [
    {
      message: `It's the model \`${PROVIDER_ID}\`. To use it without \`-m\`, run \`llm models default ${PROVIDER_ID}\``,
      reason: { code: 'llm_model', id: PROVIDER_ID },
    },
  ],
  firstCall: `llm -m ${PROVIDER_ID} "Say hi"`,
  docsUrl: 'https://llm.datasette.io/en/stable/other-models.html',
  readOn: '2026-11-23',
}
