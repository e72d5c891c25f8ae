import { GatewayError } from '../../base/errors.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SessionKey, SessionSum } from '../../store/ledger/search/session-search.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { ownSessions } from './own-sessions.ts'

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
  const { ledger } = context.parts
  const key = await keyOf(id, asked, context)
  const rows = key ? await ledger.callsOfSession(key, MOST_CALLS) : []
  if (key && rows.length > 0) return { sum: await ledger.sumOfSession(key), rows }
  throw new GatewayError('not_found', {
    message: `There is no session "${id}": its calls were removed with the old ones, or there were none.`,
    field: 'id',
    reason: { code: 'no_agent_session', id },
  })
}

/** Null where nobody has such a session. */
async function keyOf(
  session: string,
  asked: number | undefined,
  context: OperationContext,
): Promise<SessionKey | null> {
  if (ownSessions(context).length > 0) return { session, userId: signedIn(context).id }
  const userId = asked ?? (await context.parts.ledger.usersOfSession(session))[0]
  return userId === undefined ? null : { session, userId }
}
