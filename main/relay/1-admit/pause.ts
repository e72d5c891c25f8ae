import { GatewayError } from '../../base/errors.ts'
import type { SettingsStore } from '../../store/state/settings.ts'

/** Seconds. Nobody knows when a pause ends: long enough for clients not to hammer, short enough to go on soon after. */
const RETRY_AFTER = 10

/** Throws `gateway_paused` while the owner has paused the gateway; running calls continue. */
export function refuseWhilePaused({ settings }: { settings: SettingsStore }): void {
  if (settings.current.PausedSince === 0) return
  throw new GatewayError('gateway_paused', {
    message:
      'Switchyard is paused and takes no new calls. Its owner can resume it in the console, under Settings, or in the tray menu of the desktop app.',
    reason: { code: 'calls_paused' },
    retryAfter: RETRY_AFTER,
  })
}
