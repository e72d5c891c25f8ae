import { GatewayError } from '../../base/errors.ts'
import { UNITS_PER_USD } from '../../base/quota.ts'
import { quotaText } from '../../base/quota-text.ts'
import { isBoundByBalance, tokenBalance, userBalance } from '../../store/ledger/balance.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import type { Settings } from '../../store/state/settings.ts'
import { budgetExceeded, budgetsOf, hasBudget } from './budget.ts'
import type { Payer, Reservations } from './reservations.ts'

/** The stores that say what a caller has left. */
export interface SpendServices {
  settings: { readonly current: Readonly<Settings> }
  ledger: Ledger
  reservations: Reservations
}

/** With more than this left, a call may start although it could cost more: it hardly ever does. */
const TRUSTED = 10 * UNITS_PER_USD

/** A limit that a call is paid from: a token's quota or budget, or a user's balance. */
export interface SpendLimit {
  /** Units that are left, less what is held back for other calls. */
  left: number
  /** There is so much left that a call which could cost more may be made. */
  isTrusted: boolean
  /** Why a call that may cost so many units is refused. */
  refusal(expected: number): GatewayError
  /** Why a session that has used all that is left is ended. */
  usedUp(): GatewayError
}

const HOW_TO_ASK_LESS = 'Ask for a shorter answer (max_tokens), wait for running calls to end,'

/** All limits that a call is paid from; `own` is what is held back for this very call. None for who has no limits. */
export function spendLimitsOf(
  { token, user }: Payer,
  own: number,
  services: SpendServices,
): SpendLimit[] {
  const { ledger, reservations, settings } = services
  const limits: SpendLimit[] = []
  if (token && (!token.unlimitedQuota || hasBudget(token))) {
    const held = reservations.ofToken(token.id) - own
    if (!token.unlimitedQuota) {
      const left = tokenBalance(token, ledger) - held
      limits.push({
        left,
        isTrusted: left > TRUSTED,
        refusal: (expected) =>
          new GatewayError('pre_consume_token_quota_failed', {
            message: `The token "${token.name}" has ${quotaText(left)} left and the call may cost ${quotaText(expected)}. ${HOW_TO_ASK_LESS} or add quota in the console: Connect → Tokens.`,
            reason: {
              ...{ code: 'token_left_below', token: token.name, left: quotaText(left) },
              expected: quotaText(expected),
            },
          }),
        usedUp: () =>
          new GatewayError('token_exhausted', {
            message: `The token "${token.name}" has used up its quota in this session. Add quota in the console: Connect → Tokens.`,
            reason: { code: 'token_used_up_in_session', token: token.name },
          }),
      })
    }
    for (const budget of budgetsOf(token, ledger)) {
      limits.push({
        left: budget.limit - budget.used - held,
        // A budget is the most that its owner wants to spend, however much that is.
        isTrusted: false,
        refusal: (expected) =>
          budgetExceeded(
            token,
            budget,
            `${held > 0 ? `, ${quotaText(held)} are held for running calls` : ''}, and the call may cost ${quotaText(expected)}`,
            held > 0
              ? {
                  code: 'budget_held_and_may_cost',
                  ...{ held: quotaText(held), expected: quotaText(expected) },
                }
              : { code: 'budget_may_cost', expected: quotaText(expected) },
          ),
        usedUp: () =>
          budgetExceeded(token, budget, ', and the rest in this session', {
            code: 'budget_used_up_in_session',
          }),
      })
    }
  }
  if (isBoundByBalance(user, settings.current)) {
    const left = userBalance(user, ledger) - reservations.ofUser(user.id) + own
    limits.push({
      left,
      isTrusted: left > TRUSTED,
      refusal: (expected) =>
        new GatewayError('insufficient_user_quota', {
          message: `The user "${user.username}" has ${quotaText(left)} left and the call may cost ${quotaText(expected)}. ${HOW_TO_ASK_LESS} or redeem a code.`,
          reason: {
            ...{ code: 'user_left_below', user: user.username, left: quotaText(left) },
            expected: quotaText(expected),
          },
        }),
      usedUp: () =>
        new GatewayError('insufficient_user_quota', {
          message: `The user "${user.username}" has used up its quota in this session. Redeem a code, or ask the owner for credit.`,
          reason: { code: 'user_used_up_in_session', user: user.username },
        }),
    })
  }
  return limits
}
