import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { nameKey, nameLook } from '../../../base/text/login-name.ts'
import { LoginNames, type NamedUser, takenName } from '../../../store/records/login-names.ts'
import type { User } from '../../../store/records/users.ts'
import { userDraft } from '../../../transfer/draft-schemas.ts'
import type { UserDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import { userFields, usernameField } from '../../users/user-fields.ts'
import { changesOf } from './changes.ts'
import { note } from './item-notes.ts'
import { type Plan, planEach } from './plan.ts'

/** A user as an export has it. */
export const toUserDraft = (user: User, hasSecrets: boolean): UserDraft => ({
  username: user.username,
  display_name: user.displayName,
  role: user.role === 10 ? 10 : 1,
  disabled: user.status === 2,
  email: user.email,
  group: user.group,
  quota: user.quota,
  language: user.language,
  remark: user.remark,
  password_hash: hasSecrets ? user.passwordHash : null,
})

const inputSchema = z.strictObject({ username: usernameField, ...userFields })

function readFields(draft: UserDraft) {
  const { username, display_name, group, email, role, quota, remark } = draft
  const input = { username, display_name, group, email, role, quota, remark }
  const { username: name } = readInput(inputSchema, input)
  return {
    username: name,
    displayName: display_name || name,
    role,
    status: draft.disabled ? (2 as const) : (1 as const),
    email,
    group,
    quota,
    language: draft.language,
    remark,
    ...(draft.password_hash !== null && { passwordHash: draft.password_hash }),
  }
}

const refuse = (message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'username', reason })

/** Compares the users of an import with those that are here, by name. The owner is never imported. */
export function planUsers(entries: readonly unknown[], parts: GatewayParts): Plan {
  const deleted = parts.state.data.users.filter(({ deletedAt }) => deletedAt !== null)
  const reserved = new Set(deleted.map(({ username }) => nameLook(username)))
  const names = new LoginNames()
  // As they will be after the entries so far: one name or e-mail twice would fail the whole import.
  let users: readonly NamedUser[] = parts.state.data.users
  const claim = ({ username, email }: UserDraft, before: User | undefined): void => {
    const id = before?.id ?? -users.length - 1
    const isMoved = email !== before?.email
    const claimed = { username: before ? undefined : username, email: isMoved ? email : '' }
    const taken = names.takenOf(users, claimed, id)
    if (taken !== null) throw takenName(taken, { username, email })
    if (!before) users = [...users, { id, username, email, deletedAt: null }]
    else if (isMoved) users = users.map((one) => (one.id === id ? { ...one, email } : one))
  }
  return planEach('users', entries, userDraft, (draft) => {
    const fields = readFields(draft)
    const before = parts.users.byUsername(draft.username)
    if (before?.role === 100) {
      throw refuse(`"${draft.username}" is the owner of this gateway, whom no import changes.`, {
        code: 'owner_not_imported',
        user: draft.username,
      })
    }
    if (!before) {
      if (reserved.has(nameLook(draft.username))) {
        throw refuse(`A deleted user had the name "${draft.username}", which stays reserved.`, {
          code: 'name_reserved',
          user: draft.username,
        })
      }
      claim(draft, before)
      return {
        name: draft.username,
        state: 'new',
        changes: [],
        notes: draft.password_hash === null ? [note('no_password')] : [],
        write: (_how, { parts: now }) => void now.users.create(fields),
      }
    }
    claim(draft, before)
    const { password_hash, ...plain } = draft
    const changes = changesOf<Partial<UserDraft>>(
      toUserDraft(before, true),
      password_hash === null ? plain : draft,
      (user) => ({ ...user, password_hash: '***' }),
    )
    const changed = changes.map(({ field }) => field)
    const isOther = nameKey(before.email) !== nameKey(draft.email) && before.email !== ''
    return {
      name: draft.username,
      state: changed.length === 0 ? 'same' : isOther ? 'conflict' : 'changed',
      changes,
      notes: [],
      write(how, { parts: now }) {
        if (how === 'add')
          throw refuse(`There can be only one user "${draft.username}".`, {
            code: 'user_only_once',
            user: draft.username,
          })
        const isNewPassword = changed.includes('password_hash') || changed.includes('role')
        now.users.update(before.id, fields, isNewPassword ? {} : undefined)
      },
    }
  })
}
