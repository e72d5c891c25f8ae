import { quotaText } from '../../base/quota-text.ts'
import type { Call } from '../../relay/call/call.ts'
import { userBalance } from '../../store/ledger/balance.ts'
import type { CallRow } from '../../store/ledger/ledger.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { notify } from './notify.ts'
import { warningLevel } from './quota-warning.ts'

/**
 * Tells a user what a call that was just booked has brought about: budgets of its token that are nearly used
 * up, and a balance that has fallen below the level that the user wants to be warned of. That a level is
 * passed once, on the way down, makes it one notice.
 */
export function notifyBooked(
  { caller }: Call,
  { quota }: CallRow,
  warnings: readonly CallRow[],
  parts: GatewayParts,
): void {
  if (quota === 0) return
  for (const { content, tokenName } of warnings) {
    const title = `The budget of "${tokenName}" is running out`
    notify(caller.user, { type: 'budget_warning', title, content }, parts)
  }
  const level = warningLevel(caller.user, parts)
  if (level === null) return
  // The call may have taken long: what is granted, and wanted, may have changed since it began.
  const user = parts.users.byId(caller.user.id)
  if (!user) return
  const left = userBalance(user, parts.ledger)
  if (left >= level || left + quota < level) return
  const content = `The user "${user.username}" has ${quotaText(left)} left, less than the warning level of ${quotaText(level)}.`
  const title = 'Little quota is left'
  notify(user, { type: 'quota_exceed', title, content, values: [left, level] }, parts)
}
