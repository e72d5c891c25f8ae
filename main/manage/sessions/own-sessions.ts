import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Conditions that keep the user's own sessions; none for administrators. */
export function ownSessions(context: OperationContext): SearchCondition[] {
  const user = signedIn(context)
  if (hasAdministratorRole(user)) return []
  const range = { atLeast: user.id, atMost: user.id }
  return [{ test: 'range', field: 'userId', isNegated: false, range }]
}
