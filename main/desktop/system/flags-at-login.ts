import { parseArgs } from 'node:util'
import { defaultFolder, flagTypes, type Options } from '../../options.ts'
import { ownFlags } from './own-flags.ts'

/**
 * The flags of this start that the one at login needs too, or it would find another data folder or port. The
 * folder is named whole, and also where a variable named it, since a login may have other variables.
 */
export function flagsAtLogin(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { dataFolder }: Pick<Options, 'dataFolder'>,
): string[] {
  const { values } = parseArgs({ args: ownFlags(argv), options: flagTypes })
  const { host, port, drain, 'trusted-proxies': proxies } = values
  const named = {
    host,
    port,
    'data-dir': dataFolder === defaultFolder(env, process.platform) ? undefined : dataFolder,
    drain,
    'trusted-proxies': proxies,
  }
  return Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
}
