import type { OperationOutput } from '../../../preload/contract.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'

/** What who is signed in may do with an account; what they may not is not offered. */
export interface AllowedActs {
  edit: boolean
  /** Disable and delete. */
  shut: boolean
  /** Give or take the administrator's role. */
  changeRole: boolean
}

const nothing: AllowedActs = { edit: false, shut: false, changeRole: false }

/** The rule of management-api §3.1: only the owner acts on a role that is not below their own. */
export function allowedActs(
  self: OperationOutput<'user.self'> | undefined,
  user: UserRecord,
): AllowedActs {
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
