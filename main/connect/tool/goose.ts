import { join } from 'node:path'
import type { Json, KeyEdit, Machine, Tool } from '../tool.ts'

function folder({ env, home, platform }: Machine): string {
  if (env.GOOSE_PATH_ROOT) return join(env.GOOSE_PATH_ROOT, 'config')
  return platform === 'win32'
    ? join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'config')
    : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'goose')
}

/** The file's name and the provider's must agree. */
const ID = 'custom_switchyard'

/** It wants a window for each model; its own guess where it's unknown. */
const USUAL_CONTEXT = 128_000

/**
 * A provider in a file of its own. The key is sent as a header of it: in its secrets it would need
 * the keyring switched off, which hides all others. Read in
 * crates/goose/src/config/{providers,declarative_providers,paths}.rs and providers/openai.rs of
 * https://github.com/aaif-goose/goose.
 */
export const goose: Tool = {
  id: 'goose',
  name: 'Goose',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Fast model' },
  ],
  installed: { commands: ['goose'], paths: (machine) => [folder(machine)] },
  files: (machine) => [
    { id: 'config', path: join(folder(machine), 'config.yaml'), format: 'yaml' },
    {
      ...{ id: 'provider', path: join(folder(machine), 'custom_providers', `${ID}.json`) },
      format: 'json',
    },
  ],
  edits: ({ address, token, models: { main, small }, facts }) => {
    const names = [...new Set([main, small ?? main])]
    const provider: Record<string, Json> = {
      ...{ name: ID, engine: 'openai', display_name: 'Switchyard' },
      base_url: `${address}/v1/chat/completions`,
      ...{ requires_auth: false, headers: { Authorization: `Bearer ${token}` } },
      models: names.map((name) => ({
        name,
        context_limit: facts(name).context ?? USUAL_CONTEXT,
      })),
      ...(small !== undefined && { fast_model: small }),
    }
    const set = (file: string, path: string[], value: Json): KeyEdit => ({ file, path, value })
    return [
      set('config', ['active_provider'], ID),
      set('config', ['providers', ID], { enabled: true, model: main, configured: true }),
      // Versions that don't know the keys above.
      set('config', ['GOOSE_PROVIDER'], ID),
      set('config', ['GOOSE_MODEL'], main),
      ...Object.entries(provider).map(([key, value]) => set('provider', [key], value)),
    ]
  },
  pointsTo: (read) => {
    const active = read('config', ['active_provider']) ?? read('config', ['GOOSE_PROVIDER'])
    const url =
      active === ID ? read('provider', ['base_url']) : active === 'openai' && openaiHost(read)
    return typeof url === 'string' ? url : null
  },
  overriddenBy: ['GOOSE_PROVIDER', 'GOOSE_MODEL'],
  firstCall: 'goose run -t "Say hi"',
  docsUrl: 'https://block.github.io/goose/docs/guides/config-files',
  readOn: '2026-11-23',
}

const openaiHost = (read: Parameters<Tool['pointsTo']>[0]) => read('config', ['OPENAI_HOST'])
