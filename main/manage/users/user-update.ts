import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'
import { noteAdminAct } from '../account/account-event.ts'
import { checkProof } from '../operation/access.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { quotaChange } from './quota-grant.ts'
import { userChanges } from './user-changes.ts'
import {
  hashNewPassword,
  readOnly,
  readOnlyFields,
  userFields,
  usernameField,
} from './user-fields.ts'
import { reachableUser, refuseLastOwner } from './user-rules.ts'

function checkRole(user: User, role: User['role'] | undefined, context: OperationContext): void {
  if (role === undefined || role === user.role) return
  if (role >= signedIn(context).role) {
    throw new GatewayError('forbidden', {
      message: 'You can give only roles below your own.',
      field: 'role',
      reason: { code: 'only_roles_below' },
    })
  }
  refuseLastOwner(user, 'given a lower role', context.parts)
}

/** The hash of a password that an administrator sets; the own one is changed by who knows the old one. */
function newPassword(user: User, password: string, context: OperationContext): Promise<string> {
  if (user.id === signedIn(context).id) {
    throw new GatewayError('invalid_params', {
      message:
        "You can't set your own password here. Change it in Settings, with your current password.",
      field: 'password',
      reason: { code: 'own_password_in_settings' },
    })
  }
  return hashNewPassword(password)
}

/** Names and e-mails are what people sign in with. */
const changesLogin = (
  user: User,
  next: Partial<Record<'username' | 'email', string | undefined>>,
) =>
  (next.username !== undefined && next.username !== user.username) ||
  (next.email !== undefined && next.email !== user.email)

const update = defineOperation({
  name: 'user.update',
  summary: 'Changes a user of a lower role; fields that are left out stay as they are.',
  access: 'admin',
  http: { method: 'PUT', path: '/api/user' },
  input: z.strictObject({
    ...readOnlyFields,
    ...{ original_password: readOnly, DeletedAt: readOnly },
    id: recordId,
    username: usernameField.optional().describe('Another one needs a session.'),
    password: z.string().optional().describe('Empty keeps the old one. Needs a session.'),
    ...userFields,
  }),
  output: z.undefined(),
  async run({ id, username, password, quota, ...input }, context) {
    const { parts } = context
    const before = reachableUser(id, context)
    const isPromoted = input.role !== undefined && input.role > before.role
    if (password || isPromoted || changesLogin(before, { username, email: input.email })) {
      checkProof('session', context)
    }
    const passwordHash = password ? await newPassword(before, password, context) : undefined
    // Looked at again, because a password takes its time.
    const user = reachableUser(id, context)
    checkRole(user, input.role, context)
    const balance = quota === undefined ? null : quotaChange(user, () => quota, parts)
    const fields = {
      ...{ username, passwordHash, role: input.role, group: input.group },
      ...{ displayName: input.display_name, remark: input.remark, email: input.email },
      quota: balance?.quota,
      ...(input.role !== undefined && input.role < user.role && { accessToken: null }),
    }
    const after = parts.users.update(id, fields, passwordHash ? {} : undefined)
    for (const sentence of userChanges(user, after)) await noteAdminAct(after, sentence, context)
    if (balance) await noteAdminAct(user, balance.note, context)
    const role = input.role === user.role ? undefined : input.role
    const changed = [...(passwordHash ? ['password'] : []), ...(role ? [`role (now ${role})`] : [])]
    if (changed.length === 0) return
    const message = `Changed of "${user.username}": ${changed.join(', ')}.`
    const reason: Reason =
      role === undefined
        ? { code: 'audit_password_set', user: user.username }
        : {
            code: passwordHash ? 'audit_password_and_role_set' : 'audit_role_set',
            ...{ user: user.username, role },
          }
    await noteAdminAct(user, { message, reason }, context)
  },
})

export const userUpdateOperations = [update] as const
