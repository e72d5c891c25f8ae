import { GatewayError } from '../../base/errors.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SessionSum } from '../../store/ledger/search/session-search.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { ownSessions } from './own-sessions.ts'
import { sumRows } from './session-rows.ts'
import { findUnnamedSessions, isUnnamed } from './unnamed-sessions.ts'

/** Calls of a session that are looked at; of a longer one the newest. */
const MOST_CALLS = 1000

export interface FoundSession {
  sum: SessionSum
  /** The oldest first. */
  rows: StoredCall[]
}

/** A session with its calls; throws `not_found` where there is none that the viewer may see. */
export async function findSession(
  { id, user_id: asked }: { id: string; user_id?: number | undefined },
  context: OperationContext,
): Promise<FoundSession> {
  const rows = await findRows(id, asked, context)
  if (rows.length > 0) return { sum: sumRows(id, rows), rows }
  throw new GatewayError('not_found', {
    message: isUnnamed(id)
      ? `There is no session "${id}" any more: its captures are gone, and without them nothing shows that its calls belong together.`
      : `There is no session "${id}": its calls were removed with the old ones, or there were none.`,
    field: 'id',
    reason: { code: isUnnamed(id) ? 'session_forgotten' : 'no_agent_session', id },
  })
}

async function findRows(
  id: string,
  asked: number | undefined,
  context: OperationContext,
): Promise<StoredCall[]> {
  const { ledger } = context.parts
  if (isUnnamed(id)) {
    const sessions = await findUnnamedSessions(ownSessions(context), context)
    return sessions.find((session) => session.id === id)?.rows ?? []
  }
  const user = signedIn(context)
  const isAdministrator = ownSessions(context).length === 0
  const users = isAdministrator ? await ledger.usersOfSession(id) : [user.id]
  const userId = asked !== undefined && isAdministrator ? asked : users[0]
  if (userId === undefined) return []
  return ledger.callsOfSession({ session: id, userId }, MOST_CALLS)
}
