import { join } from 'node:path'
import type { Json, KeyEdit, Machine, Tool } from '../tool.ts'

/** `QWEN_HOME` stands for the whole folder. */
const folder = ({ env, home }: Machine) => env.QWEN_HOME || join(home, '.qwen')

/** A name of our own, so that a shell's OPENAI_API_KEY isn't sent here. */
const KEY_NAME = 'SWITCHYARD_API_KEY'

/**
 * A model's entry among its providers beats flags and variables. Read in the bundle of 0.15.10
 * (resolveModelConfig) and in docs/users/configuration/model-providers.md of
 * https://github.com/QwenLM/qwen-code.
 */
export const qwenCode: Tool = {
  id: 'qwen-code',
  name: 'Qwen Code',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 32_000 },
  userAgents: ['QwenCode'],
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
  ],
  installed: { commands: ['qwen'], paths: (machine) => [folder(machine)] },
  files: (machine) => [
    { id: 'settings', path: join(folder(machine), 'settings.json'), format: 'jsonc' },
  ],
  edits: ({ address, token, models: { main, small }, facts }) => {
    const set = (path: KeyEdit['path'], value: Json): KeyEdit => ({ file: 'settings', path, value })
    const entry = (id: string) => {
      const { context, images } = facts(id)
      const generationConfig = {
        ...(context !== null && { contextWindowSize: context }),
        // It knows by their names which models take images; others lose them.
        ...(images && { modalities: { image: true } }),
      }
      return set(['modelProviders', 'openai', { entry: { id } }], {
        name: id,
        envKey: KEY_NAME,
        baseUrl: `${address}/v1`,
        ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
      })
    }
    return [
      set(['env', KEY_NAME], token),
      set(['security', 'auth', 'selectedType'], 'openai'),
      set(['model', 'name'], main),
      ...(small === undefined ? [] : [set(['fastModel'], small)]),
      ...[...new Set([main, small ?? main])].map(entry),
    ]
  },
  pointsTo: (read) => {
    const model = read('settings', ['model', 'name'])
    const listed =
      typeof model === 'string'
        ? read('settings', ['modelProviders', 'openai', { entry: { id: model } }, 'baseUrl'])
        : undefined
    const url = listed ?? read('settings', ['security', 'auth', 'baseUrl'])
    return typeof url === 'string' ? url : null
  },
  variables: (read) => read('settings', ['env']),
  overriddenBy: [KEY_NAME],
  firstCall: 'qwen -p "Say hi"',
  docsUrl:
    'https://github.com/QwenLM/qwen-code/blob/main/docs/users/configuration/model-providers.md',
  readOn: '2026-11-23',
}
