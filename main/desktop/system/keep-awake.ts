import { powerSaveBlocker } from 'electron'
import type { GatewayParts } from '../../manage/gateway-parts.ts'

/** Milliseconds after the last call: an agent's next one is often on its way. */
const LINGER = 5_000

/**
 * Keeps the system from suspending the app while calls are under way, and no longer: macOS slows hidden apps
 * down (App Nap), and a stream with them. Returns what ends it.
 *
 * https://www.electronjs.org/docs/latest/api/power-save-blocker
 */
export function keepAwake(
  { openCalls }: Pick<GatewayParts, 'openCalls'>,
  linger = LINGER,
): () => void {
  let blocker: number | null = null
  let timer: NodeJS.Timeout | undefined

  const release = () => {
    clearTimeout(timer)
    timer = undefined
    if (blocker !== null) powerSaveBlocker.stop(blocker)
    blocker = null
  }

  const end = openCalls.onChange(() => {
    if (openCalls.size > 0) {
      clearTimeout(timer)
      timer = undefined
      blocker ??= powerSaveBlocker.start('prevent-app-suspension')
    } else if (blocker !== null) timer ??= setTimeout(release, linger).unref()
  })
  return () => {
    end()
    release()
  }
}
