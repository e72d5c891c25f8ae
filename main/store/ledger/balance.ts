import type { Token } from '../records/tokens.ts'
import type { User } from '../records/users.ts'
import type { Settings } from '../state/settings.ts'
import type { Ledger } from './ledger.ts'

/** Units that a user has left: granted, and credited by codes and payments, less what was used. May be negative. */
export const userBalance = (
  user: Pick<User, 'id' | 'quota'>,
  ledger: Pick<Ledger, 'totals' | 'credited'>,
): number => user.quota + ledger.credited(user.id) - ledger.totals('user', user.id).quota

/** Units that a token has left of its quota; without meaning where that is unlimited. May be negative. */
export const tokenBalance = (
  token: Pick<Token, 'id' | 'grantedQuota'>,
  ledger: Pick<Ledger, 'totals'>,
): number => token.grantedQuota - ledger.totals('token', token.id).quota

/** May this user's balance refuse a call? Every user's may, except the owner's in self-use mode. */
export const isBoundByBalance = (
  user: Pick<User, 'role'>,
  settings: Readonly<Pick<Settings, 'SelfUseModeEnabled'>>,
): boolean => user.role !== 100 || !settings.SelfUseModeEnabled
