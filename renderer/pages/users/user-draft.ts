import type { OperationInput } from '../../../preload/contract.ts'
import { dollarsOf, unitsOf } from '../../components/format/quota-units.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'

/** The form's own copy of an account. */
export interface UserDraft {
  username: string
  displayName: string
  /** Empty keeps the stored one. */
  password: string
  /** The role of a new account, as text. */
  role: string
  group: string
  /** A note that only administrators see. */
  remark: string
  /** US dollars left, or the text being typed; empty for a new account's usual amount. */
  dollars: number | string
}

export const newUserDraft: UserDraft = {
  username: '',
  displayName: '',
  password: '',
  role: String(roles.common),
  group: 'default',
  remark: '',
  dollars: '',
}

/** The draft of a stored account. */
export const draftOfUser = (user: UserRecord): UserDraft => ({
  username: user.username,
  displayName: user.display_name,
  password: '',
  role: String(user.role),
  group: user.group,
  remark: user.remark ?? '',
  dollars: dollarsOf(user.quota),
})

/** A new account as fields of the wire. */
export const fieldsOfNewUser = (draft: UserDraft): OperationInput<'user.create'> => ({
  username: draft.username.trim(),
  display_name: draft.displayName.trim(),
  password: draft.password,
  role: Number(draft.role) as UserRecord['role'],
  group: draft.group,
  remark: draft.remark.trim(),
  ...(draft.dollars !== '' && { quota: unitsOf(draft.dollars) }),
})

/** A changed account as fields of the wire: only what was changed, so that nothing else is undone. */
export function fieldsOfUser(user: UserRecord, draft: UserDraft): OperationInput<'user.update'> {
  const before = draftOfUser(user)
  return {
    id: user.id,
    ...(draft.username !== before.username && { username: draft.username.trim() }),
    ...(draft.displayName !== before.displayName && { display_name: draft.displayName.trim() }),
    ...(draft.password !== '' && { password: draft.password }),
    ...(draft.group !== before.group && { group: draft.group }),
    ...(draft.remark !== before.remark && { remark: draft.remark.trim() }),
    // What is left changes with every call: it is written only by who has typed it. Emptied is not 0.
    ...(draft.dollars !== before.dollars &&
      draft.dollars !== '' && { quota: unitsOf(draft.dollars) }),
  }
}
