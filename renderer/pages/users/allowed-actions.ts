import type { OperationOutput } from '../../../preload/contract.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'

/** Actions of the signed-in user on an account; others aren't offered. */
export interface AllowedActions {
  edit: boolean
  /** Disable and delete. */
  shut: boolean
  changeRole: boolean
}

const nothing: AllowedActions = { edit: false, shut: false, changeRole: false }

/** Management-api §3.1: only the owner acts on a role that isn't below their own. */
export function allowedActions(
  self: OperationOutput<'user.self'> | undefined,
  user: UserRecord,
): AllowedActions {
  if (!self) return nothing
  const isOwner = self.role === roles.owner
  const isSelf = self.id === user.id
  const edit = isOwner || user.role < self.role
  return {
    edit,
    shut: edit && !isSelf,
    changeRole: isOwner && !isSelf && user.role !== roles.owner,
  }
}
