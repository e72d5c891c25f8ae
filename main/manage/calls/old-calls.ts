import { unixSeconds } from '../../base/clock.ts'
import type { GatewayParts } from '../gateway-parts.ts'

const DAY = 86_400

/** Removes the captures, and the rows of the log, that are older than the options say, in the background. */
export function removeOldCalls({
  captures,
  ledger,
  log,
  settings,
}: Pick<GatewayParts, 'captures' | 'ledger' | 'log' | 'settings'>): void {
  captures.prune()
  const days = settings.current.LogDays
  if (days <= 0) return
  ledger.removeBefore(unixSeconds() - days * DAY).catch((error: unknown) => {
    log.warn({ error }, 'old calls could not be removed; next try in an hour')
  })
}
