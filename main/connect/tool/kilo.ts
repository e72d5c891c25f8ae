import { join } from 'node:path'
import { opencodeShape } from '../opencode-shape.ts'
import type { Machine, Tool } from '../tool.ts'
import { extensionFolders } from '../vscode-user.ts'

/** The same on every system. */
const folder = ({ env, home }: Machine) =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'kilo')

/** It merges both; what stands in kilo.jsonc wins. */
function configPath(machine: Machine): string {
  const [plain, withComments] = [
    join(folder(machine), 'kilo.json'),
    join(folder(machine), 'kilo.jsonc'),
  ]
  return machine.exists(plain) && !machine.exists(withComments) ? plain : withComments
}

/**
 * The extension and the command line are made of OpenCode and share one file. Read in
 * packages/kilo-docs of https://github.com/Kilo-Org/kilocode (settings, custom models), and run with
 * the command line 7.7.9. Extensions before that keep all in the editor's own storage.
 */
export const kilo: Tool = {
  id: 'kilo',
  name: 'Kilo Code',
  kind: 'file',
  wireFormat: 'chat',
  needs: { tools: true, context: 32_000 },
  slots: [
    { id: 'main', label: 'Main model' },
    { id: 'small', label: 'Small model' },
    { id: 'subagent', label: 'Subagent model' },
  ],
  installed: {
    commands: ['kilo', 'kilocode'],
    paths: (machine) => [folder(machine), ...extensionFolders(machine, 'kilocode.kilo-code')],
  },
  files: (machine) => [{ id: 'config', path: configPath(machine), format: 'jsonc' }],
  ...opencodeShape,
  overriddenBy: ['KILO_CONFIG', 'KILO_CONFIG_DIR', 'KILO_CONFIG_CONTENT'],
  firstCall: 'kilo run "Say hi"',
  docsUrl: 'https://kilo.ai/docs/ai-providers/openai-compatible',
  readOn: '2026-11-23',
}
