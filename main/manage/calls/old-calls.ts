import { unixSeconds } from '../../base/clock.ts'
import type { GatewayParts } from '../gateway-parts.ts'

const DAY = 86_400

/** Removes the rows of the log that are older than the option `LogDays` says, in the background. */
export function removeOldCalls({
  ledger,
  log,
  settings,
}: Pick<GatewayParts, 'ledger' | 'log' | 'settings'>): void {
  const days = settings.current.LogDays
  if (days <= 0) return
  ledger.removeBefore(unixSeconds() - days * DAY).catch((error: unknown) => {
    log.warn({ error }, 'Old rows of the log could not be removed; it is tried again in an hour.')
  })
}
