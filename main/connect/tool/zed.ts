import { join } from 'node:path'
import { type Json, type KeyEdit, type Machine, PROVIDER_ID, type Tool } from '../tool.ts'

function folder({ env, home, platform }: Machine): string {
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Zed')
  if (platform === 'darwin') return join(home, '.config', 'zed')
  const config = env.FLATPAK_XDG_CONFIG_HOME || env.XDG_CONFIG_HOME || join(home, '.config')
  return join(config, 'zed')
}

/** It wants a window for each model. */
const USUAL_CONTEXT = 128_000

/**
 * Its settings hold all but the key, which it takes from the system's keychain or from a variable
 * alone. Read in docs/src/ai/use-api-access.md, crates/paths/src/paths.rs and
 * crates/language_models/src/provider/open_ai_compatible.rs of https://github.com/zed-industries/zed.
 */
export const zed: Tool = {
  id: 'zed',
  name: 'Zed',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
  ],
  installed: {
    commands: ['zed', 'zeditor'],
    paths: (machine) => [
      folder(machine),
      ...(machine.platform === 'darwin' ? ['/Applications/Zed.app'] : []),
    ],
  },
  files: (machine) => [
    { id: 'settings', path: join(folder(machine), 'settings.json'), format: 'jsonc' },
  ],
  edits: ({ address, models: { main, small }, facts }) => {
    const set = (path: string[], value: Json): KeyEdit => ({ file: 'settings', path, value })
    const chosen = (model: string) => ({ provider: PROVIDER_ID, model })
    return [
      set(['language_models', 'openai_compatible', PROVIDER_ID], {
        // It adds nothing but the endpoint's own path, and trims nothing.
        api_url: `${address}/v1`,
        available_models: [...new Set([main, small ?? main])].map((name) => ({
          ...{ name, display_name: name, max_tokens: facts(name).context ?? USUAL_CONTEXT },
          capabilities: {
            tools: true,
            images: facts(name).images ?? true,
            parallel_tool_calls: false,
          },
        })),
      }),
      set(['agent', 'default_model'], chosen(main)),
      ...(small === undefined
        ? []
        : ['thread_summary_model', 'commit_message_model'].map((key) =>
            set(['agent', key], chosen(small)),
          )),
    ]
  },
  pointsTo: (read) => {
    const provider = read('settings', ['agent', 'default_model', 'provider'])
    if (typeof provider !== 'string') return null
    const url = ['openai_compatible', 'anthropic_compatible']
      .map((kind) => read('settings', ['language_models', kind, provider, 'api_url']))
      .find((one) => typeof one === 'string')
    return typeof url === 'string' ? url : null
  },
  overriddenBy: ['SWITCHYARD_API_KEY'],
  steps: () => [
    {
      message: `In Zed's command palette, run \`agent: open settings\`. Under LLM Providers, open \`${PROVIDER_ID}\`.`,
      reason: { code: 'zed_settings', id: PROVIDER_ID },
    },
    { message: 'Paste the key and press Enter: `<token>`', reason: { code: 'zed_paste' } },
  ],
  docsUrl: 'https://zed.dev/docs/ai/llm-providers',
  readOn: '2026-11-23',
}
