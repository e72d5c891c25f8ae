import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { NamedModel } from '../../convert/check/named-models.ts'
import type { Usage } from '../../convert/exchange.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'
import type { Tokens } from '../../store/records/tokens.ts'
import type { Users } from '../../store/records/users.ts'
import { admit, readmit, requireAllowed } from '../1-admit/admit.ts'
import type { Call, Caller, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { groupFactor, usedGroup } from '../channel/groups.ts'
import { pursesOf, requirePrice } from '../limits/reserve.ts'
import { peakFactor, priceFor } from '../pricing/model-price.ts'
import { quotaOf } from '../pricing/price.ts'

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

/** May these models work in a session beside its own? Throws `model_not_allowed` or `model_price_error`. */
export function checkModels(call: Call, models: readonly NamedModel[], parts: SessionParts): void {
  if (models.length === 0) return
  const caller = currentCaller(call.caller, parts)
  for (const model of models) {
    if (caller.token) requireAllowed(caller.token, model)
    requirePrice(caller, model, parts)
  }
}

/** Units that usage of one of these models costs, by the dearest; what has no price counts nothing. */
function unitsOf(
  models: readonly string[],
  usage: Usage,
  ...[call, meter, parts]: readonly [Call, Meter, SessionParts]
): number {
  const settings = parts.settings.current
  const { user } = call.caller
  const { factor } = groupFactor(user, usedGroup(call, meter.channel, settings), settings)
  const units = models.map((model) => {
    const price = priceFor(user, model, settings)
    return (price && quotaOf(price, usage, factor * peakFactor(price, unixSeconds()))) ?? 0
  })
  return Math.max(0, ...units)
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
  const { answeredModels, beside } = meter
  const now = { ...call, caller }
  const all = sumUsage([used, beside?.usage ?? null])
  if (!all) return
  meter.rate?.checkUsed(all)
  const own = used ? unitsOf(answeredModels ?? [call.model], used, now, meter, parts) : 0
  const others = beside ? unitsOf(beside.models, beside.usage, now, meter, parts) : 0
  const spent = own + others
  if (spent === 0) return
  meter.hold?.growTo(spent)
  const purses = pursesOf(caller, meter.hold?.units ?? 0, parts)
  const empty = purses.find(({ left }) => left - spent <= 0)
  if (empty) throw empty.usedUp()
}
