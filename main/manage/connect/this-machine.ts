import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Machine } from '../../connect/tool.ts'

/** The machine that the gateway runs on, as its environment describes it. */
export const thisMachine = (env: NodeJS.ProcessEnv): Machine => ({
  platform: process.platform,
  home: (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir(),
  env,
  exists: existsSync,
})
