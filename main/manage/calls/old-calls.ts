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
    log.warn({ error }, 'old calls could not be removed; next try in an hour')
  })
}
