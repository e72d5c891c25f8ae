import { GatewayError } from '../../base/errors.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Sentence } from '../../base/reason.ts'
import { userBalance } from '../../store/ledger/balance.ts'
import type { User } from '../../store/records/users.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** A change of what a user has left. */
export interface QuotaChange {
  /** The units to store as granted. */
  quota: number
  /** The log row, with both values. */
  note: Sentence
}

/**
 * The grant that leaves a user so many units, whatever was granted, credited and used before;
 * null when nothing changes. Throws `invalid_params` for units below 0.
 */
export function quotaChange(
  user: User,
  balanceFrom: (before: number) => number,
  { ledger }: Pick<GatewayParts, 'ledger'>,
): QuotaChange | null {
  const before = userBalance(user, ledger)
  const wanted = balanceFrom(before)
  if (wanted === before) return null
  if (wanted < Math.min(before, 0)) {
    throw new GatewayError('invalid_params', {
      message: 'The quota cannot be set below 0. Enter a smaller change.',
      field: 'quota',
      reason: { code: 'field_too_small', least: 0 },
    })
  }
  const after = Math.min(wanted, Math.max(before, MAX_QUOTA))
  return {
    quota: user.quota + after - before,
    note: {
      message: `The balance of "${user.username}" was changed from ${quotaText(before)} to ${quotaText(after)}.`,
      reason: {
        code: 'audit_balance',
        user: user.username,
        before: quotaText(before),
        after: quotaText(after),
      },
    },
  }
}
