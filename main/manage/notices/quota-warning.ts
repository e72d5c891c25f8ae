import { isBoundByBalance } from '../../store/ledger/balance.ts'
import type { User } from '../../store/records/users.ts'
import { readOwnSetting } from '../account/kept-setting.ts'
import type { GatewayParts } from '../gateway-parts.ts'

const ownLevels = new WeakMap<User, number | null>()

/** The user's choices, read once for each stored version. */
function ownLevel(user: User): number | null {
  let level = ownLevels.get(user)
  if (level === undefined) {
    level = readOwnSetting(user).quota_warning_threshold ?? null
    ownLevels.set(user, level)
  }
  return level
}

/**
 * Units below which a user is warned, by their own choice or the gateway's; null for a user whose balance
 * refuses nothing.
 */
export function warningLevel(
  user: User,
  { settings }: Pick<GatewayParts, 'settings'>,
): number | null {
  if (!isBoundByBalance(user, settings.current)) return null
  return ownLevel(user) ?? settings.current.QuotaRemindThreshold
}
