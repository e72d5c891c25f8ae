import { release } from 'node:os'
import { win32 } from 'node:path'
import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Machine } from '../../connect/tool.ts'

/** Reasons why the gateway may not see tools that are there. */
export const machineFacts = z.strictObject({
  home: z.string().describe('The home folder whose tools are connected.'),
  kind: z
    .enum(['plain', 'wsl', 'container'])
    .describe('In WSL and in a container, tools outside of it keep their files elsewhere.'),
  home_problem: z
    .enum(['missing', 'foreign'])
    .nullable()
    .describe('`foreign`: it is a path of another system.'),
})

export type MachineFacts = z.infer<typeof machineFacts>

function kindOf({ platform, env, exists }: Machine, kernel: string): MachineFacts['kind'] {
  if (platform !== 'linux') return 'plain'
  const isContainer = env.container || exists('/.dockerenv') || exists('/run/.containerenv')
  if (isContainer) return 'container'
  return env.WSL_DISTRO_NAME || /microsoft/i.test(kernel) ? 'wsl' : 'plain'
}

/** Windows' own folders as WSL shows them, and paths that aren't absolute here. */
function isForeign({ platform, home }: Machine, kind: MachineFacts['kind']): boolean {
  if (platform === 'win32') return !win32.isAbsolute(home) || /^\\\\wsl|^\//i.test(home)
  return !home.startsWith('/') || (kind === 'wsl' && /^\/mnt\/[a-z](?:\/|$)/i.test(home))
}

export function factsOf(machine: Machine, kernel: string = release()): MachineFacts {
  const { home, exists } = machine
  const kind = kindOf(machine, kernel)
  const problem = isForeign(machine, kind) ? 'foreign' : exists(home) ? null : 'missing'
  return { home, kind, home_problem: problem }
}

/** Refuses to write where no tool would look. */
export function checkHome(machine: Machine): void {
  const { home, home_problem } = factsOf(machine)
  if (home_problem === null) return
  const variable = machine.platform === 'win32' ? 'USERPROFILE' : 'HOME'
  throw new GatewayError('conflict', {
    reason: { code: `home_${home_problem}`, home, variable },
    message:
      home_problem === 'foreign'
        ? `The home folder ${home} is a path of another system, where tools of this one don't look. Start the gateway with ${variable} set to your home folder here. Nothing was changed.`
        : `The home folder ${home} doesn't exist. Start the gateway as yourself, or with ${variable} set to your home folder. Nothing was changed.`,
  })
}
