import { GatewayError } from '../base/errors.ts'
import type { SettingsStore } from '../store/settings.ts'

/** Seconds. Nobody knows when a pause ends: long enough for clients not to hammer, short enough to go on soon after. */
const RETRY_AFTER = 10

/** Throws `gateway_paused` while the owner has paused the gateway; calls under way go on. */
export function refuseWhilePaused({ settings }: { settings: SettingsStore }): void {
  if (settings.current.PausedSince === 0) return
  throw new GatewayError('gateway_paused', {
    message:
      'Switchyard is paused and takes no new calls. Resume it in the tray menu, or on the Settings page of the console.',
    retryAfter: RETRY_AFTER,
  })
}
