import { GatewayError } from '../../base/errors.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { Tokens } from '../../store/tokens.ts'
import type { Users } from '../../store/users.ts'
import { admit } from '../admit.ts'
import { type Call, type Caller, groupOf, type RelayParts } from '../call.ts'
import { quotaOf } from '../price.ts'

/** What sessions need beside the relay's parts: they outlast a token's or a user's change. */
export interface SessionParts extends RelayParts {
  tokens: Tokens
  users: Users
}

/** The caller as the stores know it now. Throws `unknown_token` where the token is gone. */
function currentCaller(caller: Caller, parts: SessionParts): Caller {
  const token = caller.token && parts.tokens.byId(caller.token.id)
  const user = parts.users.byId(caller.user.id)
  if (token === undefined || !user) {
    throw new GatewayError('unknown_token', {
      message: `The token "${caller.token?.name ?? ''}" was deleted.`,
    })
  }
  return { ...caller, token, user }
}

/**
 * May this session go on, with what it has used so far and is not booked yet? Throws what is in the way:
 * a token that was disabled, has expired or has used up its quota meanwhile.
 */
export function checkAllowance(call: Call, used: Usage | null, parts: SessionParts): void {
  const caller = currentCaller(call.caller, parts)
  admit({ ...call, caller }, parts)
  const { settings, ledger } = parts
  const spent = used ? (quotaOf(call.model, used, groupOf(call), settings.current) ?? 0) : 0
  if (spent === 0) return
  const { token, user } = caller
  if (token && !token.unlimitedQuota) {
    const left = token.grantedQuota - ledger.totals('token', token.id).quota
    if (left - spent <= 0) {
      throw new GatewayError('token_exhausted', {
        message: `The token "${token.name}" has used up its quota in this session. Add quota to it on the Tokens page of the console.`,
      })
    }
  }
  if (settings.current.SelfUseModeEnabled) return
  if (user.quota - ledger.totals('user', user.id).quota - spent <= 0) {
    throw new GatewayError('insufficient_user_quota', {
      message: `The user "${user.username}" has used up its quota in this session.`,
    })
  }
}
