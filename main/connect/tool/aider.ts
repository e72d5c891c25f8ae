import { join } from 'node:path'
import type { Machine, Tool } from '../tool.ts'

const path = ({ home }: Machine) => join(home, '.aider.conf.yml')

/**
 * The file of the home folder, over which one of a repository or of the working folder wins. Its
 * values are put over the shell's OPENAI_* variables. Read in aider/main.py and aider/args.py of
 * https://github.com/Aider-AI/aider at 5dc9490, and run with 0.86.2.
 */
export const aider: Tool = {
  id: 'aider',
  name: 'Aider',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: false, context: 16_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Weak model' },
  ],
  installed: {
    commands: ['aider'],
    paths: (machine) => [path(machine), join(machine.home, '.aider')],
  },
  files: (machine) => [{ id: 'config', path: path(machine), format: 'yaml' }],
  edits: ({ address, token, models: { main, small = main } }) =>
    Object.entries({
      // The word in front chooses the wire format; it is not sent.
      model: `openai/${main}`,
      // Its own choice for a known name may be a model that nobody serves here.
      'weak-model': `openai/${small}`,
      'editor-model': `openai/${main}`,
      'openai-api-base': `${address}/v1`,
      'openai-api-key': token,
      // It would stop and ask about a name that it doesn't know.
      'show-model-warnings': false,
    }).map(([key, value]) => ({ file: 'config', path: [key], value })),
  pointsTo: (read) => {
    const url = read('config', ['openai-api-base'])
    return typeof url === 'string' ? url : null
  },
  overriddenBy: [
    'AIDER_MODEL',
    'AIDER_WEAK_MODEL',
    'AIDER_OPENAI_API_BASE',
    'AIDER_OPENAI_API_KEY',
  ],
  warnings(_read, { home, exists }) {
    const path = join(home, '.env')
    const message = `Lines for Aider in ${path} beat this file.`
    return exists(path) ? [{ message, reason: { code: 'aider_env', path } }] : []
  },
  firstCall: 'aider --no-git --message "Say hi"',
  docsUrl: 'https://aider.chat/docs/llms/openai-compat.html',
  readOn: '2026-11-23',
}
