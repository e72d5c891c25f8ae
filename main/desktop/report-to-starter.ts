import { writeFileSync } from 'node:fs'

/**
 * Tells `npm start` how far this start came: it takes an Electron that ends without a word for one that
 * cannot run here, and starts the gateway without a window. `refused` is a reason of the gateway's own,
 * which a second start would meet as well. Silent where nobody waits for it.
 */
export function reportToStarter(
  outcome: 'running' | 'refused',
  env: NodeJS.ProcessEnv = process.env,
): void {
  const path = env.SWITCHYARD_START_OUTCOME
  if (!path) return
  try {
    writeFileSync(path, outcome)
  } catch {
    // The starter is gone, and the file's folder with it.
  }
}
