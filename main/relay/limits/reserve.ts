import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import { type NamedModel, namedModels } from '../../convert/check/named-models.ts'
import { isBoundByBalance, tokenBalance, userBalance } from '../../store/ledger/balance.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import type { ServingServices } from '../channel/groups.ts'
import { type ExpectedCost, expectedCost } from '../pricing/expected-cost.ts'
import { expectedFactor } from '../pricing/expected-factor.ts'
import {
  allowsUnpriced,
  DOLLARS_PER_RATIO,
  peakFactor,
  priceFor,
  UNSET_RATIO,
} from '../pricing/model-price.ts'
import { budgetExceeded, budgetNote, budgetsOf, hasBudget, told } from './budget.ts'

/** Who has more than this left may make a call that could cost more than is left: it hardly ever does. */
const TRUSTED = 10 * UNITS_PER_USD

type Owner = Pick<Call['caller'], 'token' | 'user'>

/** Units that are held back for calls under way, so that those beside them cannot use the same again. */
export class Reservations {
  readonly #tokens = new Map<number, number>()
  readonly #users = new Map<number, number>()

  ofToken(id: number): number {
    return this.#tokens.get(id) ?? 0
  }

  ofUser(id: number): number {
    return this.#users.get(id) ?? 0
  }

  hold(owner: Owner, units: number): Hold {
    return new Hold((change) => {
      if (owner.token) add(this.#tokens, owner.token.id, change)
      add(this.#users, owner.user.id, change)
    }, units)
  }
}

function add(held: Map<number, number>, id: number, units: number): void {
  const sum = (held.get(id) ?? 0) + units
  if (sum > 0) held.set(id, sum)
  else held.delete(id)
}

/** Quota that is held back for one call until it is booked. */
export class Hold {
  readonly #change: (units: number) => void
  #units = 0
  #isOver = false

  constructor(change: (units: number) => void, units: number) {
    this.#change = change
    this.growTo(units)
  }

  get units(): number {
    return this.#units
  }

  /** For what has used more already than was expected of it. */
  growTo(units: number): void {
    if (this.#isOver || units <= this.#units) return
    this.#change(units - this.#units)
    this.#units = units
  }

  release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#change(-this.#units)
    this.#units = 0
  }
}

/** Something that a call is paid from. */
export interface Purse {
  /** Units that are left, less what is held back for other calls. */
  left: number
  /** There is so much left that a call which could cost more may be made. */
  isTrusted: boolean
  /** Why a call that may cost so many units is refused. */
  refusal(expected: number): GatewayError
  /** Why a session that has used all that is left is ended. */
  usedUp(): GatewayError
}

const HOW_TO_ASK_LESS = 'Ask for a shorter answer (max_tokens), wait for calls under way,'

/** All that a call is paid from; `own` is what is held back for this very call. None for who has no limits. */
export function pursesOf({ token, user }: Owner, own: number, parts: ReserveServices): Purse[] {
  const { ledger, reservations, settings } = parts
  const purses: Purse[] = []
  if (token && (!token.unlimitedQuota || hasBudget(token))) {
    const held = reservations.ofToken(token.id) - own
    if (!token.unlimitedQuota) {
      const left = tokenBalance(token, ledger) - held
      purses.push({
        left,
        isTrusted: left > TRUSTED,
        refusal: (expected) =>
          new GatewayError('pre_consume_token_quota_failed', {
            message: `The token "${token.name}" has ${told(left)} left and the call may cost ${told(expected)}. ${HOW_TO_ASK_LESS} or add quota on the Tokens page of the console.`,
          }),
        usedUp: () =>
          new GatewayError('token_exhausted', {
            message: `The token "${token.name}" has used up its quota in this session. Add quota to it on the Tokens page of the console.`,
          }),
      })
    }
    for (const budget of budgetsOf(token, ledger)) {
      purses.push({
        left: budget.limit - budget.used - held,
        // A budget is the most that its owner wants to spend, however much that is.
        isTrusted: false,
        refusal: (expected) =>
          budgetExceeded(
            token,
            budget,
            `${held > 0 ? `, ${told(held)} are held for calls under way` : ''}, and the call may cost ${told(expected)}`,
          ),
        usedUp: () => budgetExceeded(token, budget, ', and the rest in this session'),
      })
    }
  }
  if (isBoundByBalance(user, settings.current)) {
    const left = userBalance(user, ledger) - reservations.ofUser(user.id) + own
    purses.push({
      left,
      isTrusted: left > TRUSTED,
      refusal: (expected) =>
        new GatewayError('insufficient_user_quota', {
          message: `The user "${user.username}" has ${told(left)} left and the call may cost ${told(expected)}. ${HOW_TO_ASK_LESS} or redeem a code.`,
        }),
      usedUp: () =>
        new GatewayError('insufficient_user_quota', {
          message: `The user "${user.username}" has used up its quota in this session.`,
        }),
    })
  }
  return purses
}

/** The stores that say what a call may cost, and what its caller has left. */
export interface ReserveServices extends ServingServices {
  ledger: Ledger
  reservations: Reservations
}

/** A call that its caller can pay for. */
export interface Reservation {
  /** Held back until the call is booked; null where it costs nothing. */
  hold: Hold | null
  /** The client's word on budgets that are nearly used up; null where none is. */
  note: string | null
}

/** The cost of a call by the dearest of the models that may answer it. Throws `model_price_error`. */
function dearest(call: Call, parts: ReserveServices): ExpectedCost {
  const settings = parts.settings.current
  const { user } = call.caller
  const cost = { needed: 0, likely: 0 }
  const models: NamedModel[] = [{ name: call.model, at: 'model' }, ...namedModels(call.body)]
  for (const { name, at, own } of models) {
    const price = priceFor(user, name, settings)
    if (price) {
      const factor = expectedFactor(call, parts) * peakFactor(price, unixSeconds())
      const { needed, likely } = expectedCost(call, price, settings.PreConsumedQuota, factor, own)
      cost.needed = Math.max(cost.needed, needed)
      cost.likely = Math.max(cost.likely, likely)
    } else if (!allowsUnpriced(user, settings)) throw unpriced({ name, at })
  }
  return cost
}

const unpriced = ({ name, at }: NamedModel): GatewayError =>
  new GatewayError('model_price_error', {
    message: `The model "${name}" has no price here. An administrator can set one on the Prices page of the console; or allow models without a price in your own settings, at a ratio of ${UNSET_RATIO}: $${UNSET_RATIO * DOLLARS_PER_RATIO} per million tokens.`,
    field: at,
  })

const isLimited = (
  { token, user }: Owner,
  { settings }: Pick<ReserveServices, 'settings'>,
): boolean =>
  (token !== null && (!token.unlimitedQuota || hasBudget(token))) ||
  isBoundByBalance(user, settings.current)

/** Throws `model_price_error` for a model without a price, to a caller whose spending is limited. */
export function requirePrice(owner: Owner, model: NamedModel, parts: ReserveServices): void {
  const settings = parts.settings.current
  if (!isLimited(owner, parts) || allowsUnpriced(owner.user, settings)) return
  if (!priceFor(owner.user, model.name, settings)) throw unpriced(model)
}

/**
 * Holds back what a call may cost until it is booked, of each limit that it is under; nothing where there is
 * none. Throws `model_price_error` for a model without a price that may not be called, and for a limit that does
 * not reach `pre_consume_token_quota_failed`, `budget_exceeded` or `insufficient_user_quota`.
 */
export function reserve(call: Call, parts: ReserveServices): Reservation | null {
  if (call.verb === 'count-tokens' || isChannelTest(call)) return null
  const { token } = call.caller
  if (!isLimited(call.caller, parts)) return null
  const isBudgeted = token && (!token.unlimitedQuota || hasBudget(token))
  const note = isBudgeted ? budgetNote(token, parts.ledger) : null
  const { needed, likely } = dearest(call, parts)
  if (likely === 0) return { hold: null, note }
  const purses = pursesOf(call.caller, 0, parts)
  const narrow = purses.find(({ left, isTrusted }) => left <= 0 || (needed > left && !isTrusted))
  if (narrow) throw narrow.refusal(needed)
  const least = Math.min(...purses.map(({ left }) => left))
  return { hold: parts.reservations.hold(call.caller, Math.min(likely, least)), note }
}
