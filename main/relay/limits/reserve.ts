import { GatewayError } from '../../base/errors.ts'
import { type NamedModel, namedModels } from '../../convert/check/named-models.ts'
import { isBoundByBalance } from '../../store/ledger/balance.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import type { ServingServices } from '../channel/groups.ts'
import { type ExpectedCost, expectedCost } from '../pricing/expected-cost.ts'
import { expectedFactor, vendorFactor } from '../pricing/expected-factor.ts'
import { allowsUnpriced, DOLLARS_PER_RATIO, priceFor, UNSET_RATIO } from '../pricing/model-price.ts'
import { budgetNote, hasBudget } from './budget.ts'
import type { Hold, Payer } from './reservations.ts'
import { type SpendServices, spendLimitsOf } from './spend-limits.ts'

/** The stores that say what a call may cost, and what its caller has left. */
export interface ReserveServices extends ServingServices, SpendServices {}

/** A call that its caller can pay for. */
export interface Reservation {
  /** Held back until the call is booked; null where it costs nothing. */
  hold: Hold | null
  /** The client's word on budgets that are nearly used up; null where none is. */
  note: string | null
}

/** The cost of a call by the dearest of the models that may answer it. Throws `model_price_error`. */
function dearest(calls: readonly Call[], services: ReserveServices): ExpectedCost {
  const cost = { needed: 0, likely: 0 }
  for (const call of calls) addDearest(cost, call, services)
  return cost
}

function addDearest(cost: ExpectedCost, call: Call, services: ReserveServices): void {
  const settings = services.settings.current
  const { user } = call.caller
  const models: NamedModel[] = [{ name: call.model, at: 'model' }, ...namedModels(call.body)]
  for (const { name, at, own } of models) {
    const price = priceFor(user, name, settings)
    if (price) {
      const factor = expectedFactor(call, services) * vendorFactor(call, price)
      const { needed, likely } = expectedCost(call, price, settings.PreConsumedQuota, factor, own)
      cost.needed = Math.max(cost.needed, needed)
      cost.likely = Math.max(cost.likely, likely)
    } else if (!allowsUnpriced(user, settings)) throw unpriced(call, { name, at })
  }
}

const unpriced = (call: Call, { name, at }: NamedModel): GatewayError =>
  new GatewayError('model_price_error', {
    message: `The model ${nameOf(call, name)} has no price here. The owner can set one in the console: Usage → Prices. Or allow models without a price in your own settings, at a ratio of ${UNSET_RATIO}: $${UNSET_RATIO * DOLLARS_PER_RATIO} per million tokens.`,
    reason: {
      ...{ code: 'price_unset', model: shortNameOf(call, name), ratio: UNSET_RATIO },
      dollars: UNSET_RATIO * DOLLARS_PER_RATIO,
    },
    field: at,
  })

const isLimited = (
  { token, user }: Payer,
  { settings }: Pick<ReserveServices, 'settings'>,
): boolean =>
  (token !== null && (!token.unlimitedQuota || hasBudget(token))) ||
  isBoundByBalance(user, settings.current)

/** Throws `model_price_error` for a model without a price, to a caller whose spending is limited. */
export function requirePrice(
  call: Call,
  model: NamedModel,
  services: Pick<ReserveServices, 'settings'>,
): void {
  const settings = services.settings.current
  const { caller } = call
  if (!isLimited(caller, services) || allowsUnpriced(caller.user, settings)) return
  if (!priceFor(caller.user, model.name, settings)) throw unpriced(call, model)
}

/**
 * Holds back what a call may cost until it is booked, of each limit that it is under; nothing where there is
 * none. Throws `model_price_error` for a model without a price that may not be called, and for a limit that does
 * not reach `pre_consume_token_quota_failed`, `budget_exceeded` or `insufficient_user_quota`. `pricedAs`: the call by
 * each model that may answer it.
 */
export function reserve(
  call: Call,
  services: ReserveServices,
  pricedAs: readonly Call[] = [call],
): Reservation | null {
  if (call.verb === 'count-tokens' || isChannelTest(call)) return null
  const { token } = call.caller
  if (!isLimited(call.caller, services)) return null
  const isBudgeted = token && (!token.unlimitedQuota || hasBudget(token))
  const note = isBudgeted ? budgetNote(token, services.ledger) : null
  const { needed, likely } = dearest(pricedAs, services)
  if (likely === 0) return { hold: null, note }
  const limits = spendLimitsOf(call.caller, 0, services)
  const narrow = limits.find(({ left, isTrusted }) => left <= 0 || (needed > left && !isTrusted))
  if (narrow) throw narrow.refusal(needed)
  const least = Math.min(...limits.map(({ left }) => left))
  return { hold: services.reservations.hold(call.caller, Math.min(likely, least)), note }
}
