import { unixSeconds } from '../../base/clock.ts'
import type { Call } from '../../relay/call/call.ts'
import { type Budget, budgetsOf, periodEnd } from '../../relay/limits/budget.ts'
import type { CallRow } from '../../store/ledger/ledger.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** Error codes of refused calls that are about money. */
function refusedFor({ type, other }: CallRow): unknown {
  if (type !== 5) return undefined
  return (JSON.parse(other || '{}') as { error_code?: unknown }).error_code
}

/** Another period or another limit makes it another cause. */
function raiseBudget(token: Token, { period, limit }: Budget, { incidents }: GatewayParts): void {
  const end = periodEnd(period, unixSeconds())
  const cause = `budget:${token.id}:${period}:${limit}:${end}`
  incidents.raise({ kind: 'budget', cause, what: `${period}-budget`, name: token.name })
}

/** The budget with the least left, which is the one a call was refused for. */
const scarcest = (budgets: readonly Budget[]): Budget | undefined =>
  budgets.toSorted((one, other) => one.limit - one.used - (other.limit - other.used))[0]

/**
 * Incident of a call that was just booked: it has used up a budget, or was refused because a budget, a
 * token's quota or a user's balance is used up. Of tokens only the owner's count: other users set limits of theirs
 * as they like, and could have the owner told of each.
 */
export function raiseUsedUp(
  { caller }: Call,
  row: CallRow,
  warnings: readonly CallRow[],
  parts: GatewayParts,
): void {
  const { ledger, incidents } = parts
  const { user } = caller
  const token = user.role >= 100 ? caller.token : null
  const code = refusedFor(row)
  if (token && (warnings.length > 0 || code === 'budget_exceeded')) {
    const budgets = budgetsOf(token, ledger)
    const gone = budgets.filter(({ used, limit }) => used >= limit)
    const least = code === 'budget_exceeded' && gone.length === 0 ? scarcest(budgets) : undefined
    for (const budget of least ? [least] : gone) raiseBudget(token, budget, parts)
  }
  if (token && (code === 'token_exhausted' || code === 'pre_consume_token_quota_failed')) {
    const cause = `quota:token:${token.id}:${token.grantedQuota}`
    incidents.raise({ kind: 'budget', cause, what: 'token-quota', name: token.name })
  }
  if (code === 'insufficient_user_quota') {
    const cause = `quota:user:${user.id}:${user.quota + ledger.credited(user.id)}`
    incidents.raise({ kind: 'budget', cause, what: 'user-balance', name: user.username })
  }
}
