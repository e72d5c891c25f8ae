import { join } from 'node:path'
import { opencodeShape } from '../opencode-shape.ts'
import type { Machine, Tool } from '../tool.ts'

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
  needs: { tools: true, context: 32_000 },
  userAgents: ['opencode'],
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
  ...opencodeShape,
  overriddenBy: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT'],
  firstCall: 'opencode run "Say hi"',
  docsUrl: 'https://opencode.ai/docs/providers',
  readOn: '2026-11-23',
}
