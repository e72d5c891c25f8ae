import { join } from 'node:path'
import { type Json, type Machine, PROVIDER_ID, type Tool } from '../tool.ts'

const folder = ({ env, home }: Machine) =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')

/** It merges both; what stands in opencode.jsonc wins. */
function configPath(machine: Machine): string {
  const withComments = join(folder(machine), 'opencode.jsonc')
  return machine.exists(withComments) ? withComments : join(folder(machine), 'opencode.json')
}

/**
 * A provider of our own; every model must be listed. Read in 1.18.33 (Config.loadInstanceState,
 * Provider.getSmallModel) and in https://opencode.ai/docs/providers; version 2 reads the same shape.
 */
export const opencode: Tool = {
  id: 'opencode',
  name: 'OpenCode',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, streaming: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
    { id: 'subagent', label: 'Subagent model' },
  ],
  installed: {
    commands: ['opencode'],
    paths: (machine) => [
      folder(machine),
      join(
        machine.home,
        '.opencode',
        'bin',
        machine.platform === 'win32' ? 'opencode.exe' : 'opencode',
      ),
    ],
  },
  files: (machine) => [{ id: 'config', path: configPath(machine), format: 'jsonc' }],
  edits: ({ address, token, models: { main, small = main, subagent }, limits }) => {
    const names = [...new Set([main, small, subagent ?? main])]
    const listed = names.map((name): [string, Json] => {
      const { context, output } = limits(name)
      const isKnown = context !== null && output !== null
      return [name, { name, ...(isKnown && { limit: { context, output } }) }]
    })
    const set = (path: string[], value: Json) => ({ file: 'config', path, value })
    return [
      set(['provider', PROVIDER_ID], {
        npm: '@ai-sdk/openai-compatible',
        name: 'Switchyard',
        options: { baseURL: `${address}/v1`, apiKey: token },
        models: Object.fromEntries(listed),
      }),
      set(['model'], `${PROVIDER_ID}/${main}`),
      set(['small_model'], `${PROVIDER_ID}/${small}`),
      ...(subagent === undefined
        ? []
        : ['general', 'explore'].map((agent) =>
            set(['agent', agent, 'model'], `${PROVIDER_ID}/${subagent}`),
          )),
    ]
  },
  pointsTo: (read) => {
    const model = read('config', ['model'])
    const [provider = ''] = typeof model === 'string' ? model.split('/') : []
    const url = read('config', ['provider', provider, 'options', 'baseURL'])
    return typeof url === 'string' ? url : null
  },
  overriddenBy: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT'],
  warnings: (read) => {
    const disabled = read('config', ['disabled_providers'])
    const enabled = read('config', ['enabled_providers'])
    const isHidden =
      (Array.isArray(disabled) && disabled.includes(PROVIDER_ID)) ||
      (Array.isArray(enabled) && !enabled.includes(PROVIDER_ID))
    return isHidden
      ? [`Its lists of enabled and disabled providers hide "${PROVIDER_ID}". Allow it there.`]
      : []
  },
  docsUrl: 'https://opencode.ai/docs/providers',
  readOn: '2026-11-23',
}
