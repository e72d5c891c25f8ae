import { join } from 'node:path'
import { type Json, type KeyEdit, type Machine, PROVIDER_ID, type Tool } from '../tool.ts'

/** The same on every system. `CRUSH_GLOBAL_CONFIG` names another folder. */
const folder = ({ env, home }: Machine) =>
  env.CRUSH_GLOBAL_CONFIG || join(env.XDG_CONFIG_HOME || join(home, '.config'), 'crush')

/** Its own notes of the models that were picked, which beat the configuration. */
function stateFolder({ env, home, platform }: Machine): string {
  if (env.CRUSH_GLOBAL_DATA) return env.CRUSH_GLOBAL_DATA
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, 'crush')
  return platform === 'win32'
    ? join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'crush')
    : join(home, '.local', 'share', 'crush')
}

const statePath = (machine: Machine) => join(stateFolder(machine), 'crush.json')

/** Limits that it wants for each model, where they are unknown. */
const usual = { context: 128_000, output: 8192 }

/**
 * A provider of our own, and the two models of it. Read in internal/config/load.go and
 * internal/home/home.go of https://github.com/charmbracelet/crush at 37f36e9.
 */
export const crush: Tool = {
  id: 'crush',
  name: 'Crush',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Large model' },
    { id: 'small', label: 'Small model' },
  ],
  installed: {
    commands: ['crush'],
    paths: (machine) => [folder(machine), stateFolder(machine)],
  },
  // It refuses comments.
  files: (machine) => [
    { id: 'config', path: join(folder(machine), 'crush.json'), format: 'json' },
    { id: 'state', path: statePath(machine), format: 'json' },
  ],
  edits: ({ address, token, models: { main, small = main }, facts }, machine) => {
    const set = (file: string, path: string[], value: Json): KeyEdit => ({ file, path, value })
    const listed = [...new Set([main, small])].map((id) => {
      const { context, output, images } = facts(id)
      return {
        ...{ id, name: id, context_window: context ?? usual.context },
        default_max_tokens: output ?? usual.output,
        // Without it, images are left out of the call.
        ...(images && { supports_attachments: true }),
      }
    })
    const chosen = (file: string) => [
      set(file, ['models', 'large'], { provider: PROVIDER_ID, model: main }),
      set(file, ['models', 'small'], { provider: PROVIDER_ID, model: small }),
    ]
    return [
      set('config', ['providers', PROVIDER_ID], {
        ...{ name: 'Switchyard', type: 'openai-compat', base_url: `${address}/v1`, api_key: token },
        models: listed,
      }),
      ...chosen('config'),
      ...(machine.exists(statePath(machine)) ? chosen('state') : []),
    ]
  },
  pointsTo: (read) => {
    const path = ['models', 'large', 'provider']
    const provider = read('state', path) ?? read('config', path)
    if (typeof provider !== 'string') return null
    const url = read('config', ['providers', provider, 'base_url'])
    return typeof url === 'string' ? url : null
  },
  warnings: (_read, machine) => {
    const script = join(folder(machine), 'crushrc')
    return machine.exists(script)
      ? [
          {
            message: `${script} is read after this file. If it chooses models, take those lines out.`,
            reason: { code: 'crush_script', path: script },
          },
        ]
      : []
  },
  firstCall: 'crush run "Say hi"',
  docsUrl: 'https://github.com/charmbracelet/crush#custom-providers',
  readOn: '2026-11-23',
}
