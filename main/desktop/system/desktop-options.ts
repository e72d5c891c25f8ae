import { type Options, readOptions } from '../../options.ts'
import { ownFlags } from './own-flags.ts'

/** The options of a start of the desktop; null when only the usage is asked for. Throws with a sentence. */
export function readDesktopOptions(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Options | null {
  const options = readOptions(ownFlags(argv), env)
  if (options?.resetTwoFactorOf !== undefined) {
    throw new Error(
      '--reset-2fa is not for the desktop app: its window needs no login. Use it with the headless gateway: npm run gateway -- --reset-2fa',
    )
  }
  if (options?.restoreFrom !== undefined) {
    throw new Error(
      '--restore is not for the desktop app, which would start over the data it is to replace. Quit the app, then use the headless gateway: npm run gateway -- --restore FILE',
    )
  }
  return options
}
