import type { Sentence } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'
import { eventRow } from '../calls/event-row.ts'
import type { OperationContext } from '../operation/operation.ts'

/** Writes down what a user did to the own account (type 4). */
export async function noteOwnAct(
  user: User,
  content: Sentence,
  { parts, requestId, ip }: OperationContext,
): Promise<void> {
  await parts.ledger.record(eventRow(4, user, content, { requestId, ip }))
}

/** Writes down what an administrator did to someone's account (type 3); who did it only administrators read. */
export async function noteAdminAct(
  user: User,
  content: Sentence,
  context: OperationContext,
): Promise<void> {
  const { parts, requestId, ip } = context
  const by = context.user
    ? { admin_id: context.user.id, admin_username: context.user.username }
    : {}
  await parts.ledger.record(
    eventRow(3, user, content, { requestId, ip, other: { admin_info: by } }),
  )
}
