import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

const ADMINISTRATOR = 10

/** Conditions that keep the user's own sessions; none for administrators. */
export function ownSessions(context: OperationContext): SearchCondition[] {
  const { id, role } = signedIn(context)
  if (role >= ADMINISTRATOR) return []
  const range = { atLeast: id, atMost: id }
  return [{ test: 'range', field: 'userId', isNegated: false, range }]
}
