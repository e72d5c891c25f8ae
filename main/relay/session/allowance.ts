import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Usage } from '../../convert/exchange.ts'
import type { Tokens } from '../../store/tokens.ts'
import type { Users } from '../../store/users.ts'
import { admit, readmit } from '../admit.ts'
import type { Call, Caller, RelayParts } from '../call.ts'
import { groupFactor, usedGroup } from '../groups.ts'
import type { Meter } from '../meter.ts'
import { peakFactor, priceFor } from '../model-price.ts'
import { quotaOf } from '../price.ts'
import { pursesOf } from '../reserve.ts'

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

/** Admits a new call on a connection that is open, for the caller as the stores know it now. */
export function admitAgain(call: Call, meter: Meter, parts: SessionParts): void {
  admit({ ...call, caller: currentCaller(call.caller, parts) }, meter, parts)
}

/**
 * May this session go on, with what it has used so far and is not booked yet? Throws what is in the way:
 * a token that was disabled, has expired or has used up its quota or a budget meanwhile.
 */
export function checkAllowance(
  call: Call,
  meter: Meter,
  used: Usage | null,
  parts: SessionParts,
): void {
  const caller = currentCaller(call.caller, parts)
  readmit({ ...call, caller }, parts)
  const settings = parts.settings.current
  if (!used) return
  meter.rate?.checkUsed(used)
  const { factor } = groupFactor(caller.user, usedGroup(call, meter.channel, settings), settings)
  const price = priceFor(caller.user, call.model, settings)
  const spent = price ? (quotaOf(price, used, factor * peakFactor(price, unixSeconds())) ?? 0) : 0
  if (spent === 0) return
  meter.hold?.growTo(spent)
  const purses = pursesOf(caller, meter.hold?.units ?? 0, parts)
  const empty = purses.find(({ left }) => left - spent <= 0)
  if (empty) throw empty.usedUp()
}
