import type { OperationInput } from '../../../preload/contract.ts'
import { dollarsOf, unitsOf } from '../../components/format/quota-units.ts'
import type { UserRecord } from '../../gateway/records.ts'
import { roles } from '../../gateway/use-role.ts'

/** An account as the form edits it. */
export interface UserDraft {
  username: string
  displayName: string
  /** Empty keeps the stored one. */
  password: string
  /** The number as text; only for a new account. */
  role: string
  group: string
  /** Visible to administrators only. */
  remark: string
  /** US dollars, or the text being typed; empty for the default of new accounts. */
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

/** The display name; the one that a first run used to give the owner says nothing. */
export const shownName = ({ display_name: name, role }: UserRecord): string =>
  role === roles.owner && name === 'Root User' ? '' : name

export const draftOfUser = (user: UserRecord): UserDraft => ({
  username: user.username,
  displayName: shownName(user),
  password: '',
  role: String(user.role),
  group: user.group,
  remark: user.remark ?? '',
  dollars: dollarsOf(user.quota),
})

export const fieldsOfNewUser = (draft: UserDraft): OperationInput<'user.create'> => ({
  username: draft.username.trim(),
  display_name: draft.displayName.trim(),
  password: draft.password,
  role: Number(draft.role) as UserRecord['role'],
  group: draft.group,
  remark: draft.remark.trim(),
  ...(draft.dollars !== '' && { quota: unitsOf(draft.dollars) }),
})

/** Only changed fields, so that nothing else is undone. */
export function fieldsOfUser(user: UserRecord, draft: UserDraft): OperationInput<'user.update'> {
  const before = draftOfUser(user)
  return {
    id: user.id,
    ...(draft.username !== before.username && { username: draft.username.trim() }),
    ...(draft.displayName !== before.displayName && { display_name: draft.displayName.trim() }),
    ...(draft.password !== '' && { password: draft.password }),
    ...(draft.group !== before.group && { group: draft.group }),
    ...(draft.remark !== before.remark && { remark: draft.remark.trim() }),
    // The balance changes with every call, so it is sent only when it was edited. Empty isn't 0.
    ...(draft.dollars !== before.dollars &&
      draft.dollars !== '' && { quota: unitsOf(draft.dollars) }),
  }
}
