import { unixSeconds } from '../../base/clock.ts'
import type { NamedModel } from '../../convert/check/named-models.ts'
import type { Usage } from '../../convert/exchange.ts'
import { sumUsage } from '../../convert/other/sum-usage.ts'
import { readmit } from '../1-admit/admit.ts'
import { requireAllowed } from '../1-admit/check-models.ts'
import { currentCaller } from '../1-admit/current-caller.ts'
import type { Call } from '../call/call.ts'
import type { CallRecord } from '../call/call-record.ts'
import { groupFactor, usedGroup } from '../channel/groups.ts'
import { requirePrice } from '../limits/reserve.ts'
import { spendLimitsOf } from '../limits/spend-limits.ts'
import { peakFactor, priceFor } from '../pricing/model-price.ts'
import { quotaOf } from '../pricing/price.ts'
import type { RelayServices } from '../relay-services.ts'

/** May these models work in a session beside its own? Throws `model_not_allowed` or `model_price_error`. */
export function checkModels(
  call: Call,
  models: readonly NamedModel[],
  services: RelayServices,
): void {
  if (models.length === 0) return
  const caller = currentCaller(call.caller, services)
  for (const model of models) {
    if (caller.token) requireAllowed(caller.token, call, model)
    requirePrice({ ...call, caller }, model, services)
  }
}

/** Units that usage of one of these models costs, by the dearest; what has no price counts nothing. */
function unitsOf(
  models: readonly string[],
  usage: Usage,
  ...[call, record, services]: readonly [Call, CallRecord, RelayServices]
): number {
  const settings = services.settings.current
  const { user } = call.caller
  const { factor } = groupFactor(user, usedGroup(call, record.channel, settings), settings)
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
  record: CallRecord,
  used: Usage | null,
  services: RelayServices,
): void {
  const caller = currentCaller(call.caller, services)
  readmit({ ...call, caller }, services)
  const { answeredModels, beside } = record
  const now = { ...call, caller }
  const all = sumUsage([used, beside?.usage ?? null])
  if (!all) return
  record.rate?.checkUsed(all)
  const own = used ? unitsOf(answeredModels ?? [call.model], used, now, record, services) : 0
  const others = beside ? unitsOf(beside.models, beside.usage, now, record, services) : 0
  const spent = own + others
  if (spent === 0) return
  record.hold?.growTo(spent)
  const limits = spendLimitsOf(caller, record.hold?.units ?? 0, services)
  const empty = limits.find(({ left }) => left - spent <= 0)
  if (empty) throw empty.usedUp()
}
