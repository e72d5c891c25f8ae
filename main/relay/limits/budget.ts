import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Why } from '../../base/reason.ts'
import { utcTime } from '../../base/text/utc-time.ts'
import type { CallRow, Ledger } from '../../store/ledger/ledger.ts'
import type { Token } from '../../store/records/tokens.ts'

export type BudgetState = 'ok' | 'warning' | 'exhausted'

type Budgeted = Pick<Token, 'id' | 'dayBudget' | 'monthBudget' | 'budgetWarning'>
type Spending = Pick<Ledger, 'spent'>

/** A token's limit for the present day or month, in units. */
export interface Budget {
  period: 'day' | 'month'
  limit: number
  used: number
  /** Units from which on a warning is shown. */
  warnsAt: number
}

export const hasBudget = ({ dayBudget, monthBudget }: Budgeted): boolean =>
  dayBudget !== null || monthBudget !== null

export function budgetsOf(token: Budgeted, ledger: Spending): Budget[] {
  if (!hasBudget(token)) return []
  const spent = ledger.spent(token.id)
  const limits = [
    ['day', token.dayBudget],
    ['month', token.monthBudget],
  ] as const
  return limits.flatMap(([period, limit]) =>
    limit === null
      ? []
      : [{ period, limit, used: spent[period], warnsAt: (limit * token.budgetWarning) / 100 }],
  )
}

const stateOf = ({ used, limit, warnsAt }: Budget): BudgetState => {
  if (used >= limit) return 'exhausted'
  return used >= warnsAt ? 'warning' : 'ok'
}

/** How far a token is with its budgets, the worse of the two; null where it has none. */
export function budgetState(token: Budgeted, ledger: Spending): BudgetState | null {
  const states = budgetsOf(token, ledger).map(stateOf)
  const order: readonly BudgetState[] = ['exhausted', 'warning', 'ok']
  return order.find((state) => states.includes(state)) ?? null
}

/** Unix seconds at which the present day or month is over, by this machine's calendar. */
export function periodEnd(period: Budget['period'], now: number): number {
  const date = new Date(now * 1000)
  const end =
    period === 'day'
      ? new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)
      : new Date(date.getFullYear(), date.getMonth() + 1, 1)
  return end.getTime() / 1000
}

/**
 * Status 403, not 429: clients send a call with 429 again, some ten times, and a budget that ends tomorrow does
 * not come back by that. The header `retry-after` says when it does.
 */
export function budgetExceeded(
  token: Pick<Token, 'name'>,
  { period, limit, used }: Budget,
  why = '',
  more: Why = '',
): GatewayError {
  const now = unixSeconds()
  const end = periodEnd(period, now)
  return new GatewayError('budget_exceeded', {
    message: `The token "${token.name}" may use ${quotaText(limit)} a ${period} and has used ${quotaText(used)}${why}. The ${period} ends at ${utcTime(end)}. Change its budget in the console: Connect → Tokens.`,
    reason: {
      ...{ code: period === 'day' ? 'budget_of_day' : 'budget_of_month', token: token.name, more },
      ...{ limit: quotaText(limit), used: quotaText(used) },
      end: utcTime(end),
    },
    retryAfter: end - now,
  })
}

/** Throws `budget_exceeded` for a token that has used up its day's or its month's budget. */
export function checkBudgets(token: Token, ledger: Spending): void {
  const exhausted = budgetsOf(token, ledger).find((budget) => stateOf(budget) === 'exhausted')
  if (exhausted) throw budgetExceeded(token, exhausted)
}

/**
 * The header `x-switchyard-budget`: budgets that are past their warning level, in units and
 * unix seconds: `day;used=850;limit=1000;reset=1764979200`, several with commas. Null where there are none.
 */
export function budgetNote(token: Budgeted, ledger: Spending): string | null {
  const near = budgetsOf(token, ledger).filter((budget) => stateOf(budget) !== 'ok')
  if (near.length === 0) return null
  const now = unixSeconds()
  return near
    .map(
      ({ period, limit, used }) =>
        `${period};used=${used};limit=${limit};reset=${periodEnd(period, now)}`,
    )
    .join(', ')
}

/**
 * Rows for the log (type 4) where the call that was just booked took the token past its warning level or to
 * the end of a budget. That a level is passed once in a period makes it one row in a period.
 */
export function budgetRows(token: Token, call: CallRow, ledger: Spending): CallRow[] {
  if (call.quota === 0) return []
  return budgetsOf(token, ledger).flatMap(({ period, limit, used, warnsAt }) => {
    const before = used - call.quota
    const passes = (level: number) => before < level && used >= level
    const content = passes(limit)
      ? `The token "${token.name}" has used up its budget of the ${period}: ${quotaText(used)} of ${quotaText(limit)}.`
      : passes(warnsAt)
        ? `The token "${token.name}" has used ${quotaText(used)} of its budget of ${quotaText(limit)} for the ${period}.`
        : null
    if (content === null) return []
    const nothing = { quota: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, useTime: 0 }
    const other = JSON.stringify({ budget: period, budget_limit: limit, budget_used: used })
    return [
      {
        ...call,
        ...nothing,
        type: 4,
        content,
        other,
        isUnpriced: false,
        isEstimated: false,
      } satisfies CallRow,
    ]
  })
}
