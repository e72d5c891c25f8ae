import { GatewayError } from '../../base/errors.ts'
import type { User } from '../../store/records/users.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { checkMayActOn } from '../operation/may-act-on.ts'
import type { OperationContext } from '../operation/operation.ts'

/**
 * The user of an id, if the caller may act on them: only the owner acts on those of the same role or a
 * higher one. Throws `not_found` or `forbidden`.
 */
export function reachableUser(id: number, context: OperationContext): User {
  const user = context.parts.users.byId(id)
  if (!user) {
    throw new GatewayError('not_found', {
      message: `There is no user ${id}. It may have been deleted: reload the list.`,
      field: 'id',
      reason: { code: 'no_user', id },
    })
  }
  checkMayActOn(user, context)
  return user
}

const ownersReason = {
  deleted: 'owner_undeletable',
  disabled: 'owner_undisableable',
  'given a lower role': 'owner_undemotable',
} as const

/** Throws `conflict` when nobody could manage the gateway any more without this user. */
export function refuseLastOwner(
  user: User,
  what: keyof typeof ownersReason,
  { users }: GatewayParts,
): void {
  const isOwner = ({ role, status }: User) => role === 100 && status === 1
  if (!isOwner(user)) return
  if (users.all().some((other) => other.id !== user.id && isOwner(other))) return
  throw new GatewayError('conflict', {
    message: `"${user.username}" is the owner of this gateway and cannot be ${what}.`,
    reason: { code: ownersReason[what], user: user.username },
  })
}
