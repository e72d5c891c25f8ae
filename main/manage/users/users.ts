import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { User } from '../../store/records/users.ts'
import { noteAdminAct, noteOwnAct } from '../account/account-event.ts'
import { checkProof } from '../operation/access.ts'
import { filterInteger, filterText, pagingFields, recordId } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { pageOf, pageOutput, readPaging } from '../operation/page.ts'
import { signedIn } from '../operation/signed-in.ts'
import { hashNewPassword, userFields, usernameField } from './user-fields.ts'
import { adminUserRecord, toAdminUserRecord } from './user-record.ts'
import { reachableUser, refuseLastOwner } from './user-rules.ts'

const newestFirst = ({ parts }: OperationContext): User[] =>
  [...parts.users.all()].sort((one, other) => other.id - one.id)

const list = defineOperation({
  name: 'user.list',
  summary: 'Lists the users, newest first.',
  access: 'admin',
  http: { method: 'GET', path: '/api/user' },
  input: z.object(pagingFields),
  output: pageOutput(adminUserRecord),
  run: (input, context) =>
    pageOf(newestFirst(context), readPaging(input), (user) =>
      toAdminUserRecord(user, context.parts),
    ),
})

const search = defineOperation({
  name: 'user.search',
  summary: 'Finds users by id, or by a part of user name, e-mail or display name.',
  access: 'admin',
  http: { method: 'GET', path: '/api/user/search' },
  input: z.object({
    ...pagingFields,
    keyword: filterText,
    group: filterText,
    role: filterInteger,
    status: filterInteger,
  }),
  output: pageOutput(adminUserRecord),
  run({ keyword, group, role, status, ...paging }, context) {
    const part = keyword.toLowerCase()
    const found = newestFirst(context).filter(
      (user) =>
        (part === '' ||
          String(user.id) === part ||
          [user.username, user.email, user.displayName].some((text) =>
            text.toLowerCase().includes(part),
          )) &&
        (group === '' || user.group === group) &&
        (role === undefined || user.role === role) &&
        (status === undefined || user.status === status),
    )
    return pageOf(found, readPaging(paging), (user) => toAdminUserRecord(user, context.parts))
  },
})

const get = defineOperation({
  name: 'user.get',
  summary: 'Reads a user of a lower role.',
  access: 'admin',
  http: { method: 'GET', path: '/api/user/:id' },
  input: z.object({ id: recordId }),
  output: adminUserRecord,
  run: ({ id }, context) => toAdminUserRecord(reachableUser(id, context), context.parts),
})

const create = defineOperation({
  name: 'user.create',
  summary: 'Makes a user of a lower role.',
  access: 'admin',
  http: { method: 'POST', path: '/api/user' },
  input: z.strictObject({ username: usernameField, password: z.string(), ...userFields }),
  output: z.undefined(),
  async run(input, context) {
    const { parts } = context
    const { username, role = 1, group, remark, email, quota = newUserQuota(context) } = input
    if (role >= signedIn(context).role) {
      throw new GatewayError('forbidden', {
        message: 'A new user needs a role below your own.',
        reason: { code: 'role_below_own' },
      })
    }
    if (role > 1) checkProof('session', context)
    if (quota < 0) {
      throw new GatewayError('invalid_params', {
        message: 'The quota cannot be below 0.',
        field: 'quota',
        reason: { code: 'field_too_small', least: 0 },
      })
    }
    const passwordHash = await hashNewPassword(input.password)
    const displayName = input.display_name || username
    const made = { username, displayName, passwordHash, role, group, remark, email, quota }
    const user = parts.users.create(made)
    await noteAdminAct(
      user,
      {
        message: `"${username}" was created, with ${quotaText(quota)}.`,
        reason: { code: 'audit_user_made', user: username, amount: quotaText(quota) },
      },
      context,
    )
  },
})

const newUserQuota = ({ parts }: OperationContext): number => parts.settings.current.QuotaForNewUser

/** Deletes a user with tokens and sessions; the name stays reserved, and the log stays as it is. */
export async function removeUser(user: User, context: OperationContext): Promise<void> {
  refuseLastOwner(user, 'deleted', context.parts)
  context.parts.users.remove(user.id)
  await noteAdminAct(
    user,
    {
      message: `"${user.username}" was deleted.`,
      reason: { code: 'audit_user_deleted', user: user.username },
    },
    context,
  )
}

const remove = defineOperation({
  name: 'user.delete',
  summary: 'Deletes a user of a lower role with all tokens and sessions.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/user/:id' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  run: ({ id }, context) => removeUser(reachableUser(id, context), context),
})

const removeSelf = defineOperation({
  name: 'user.delete-self',
  summary: 'Deletes the own account with all tokens and sessions; the owner cannot.',
  access: 'user',
  proof: 'recent',
  http: { method: 'DELETE', path: '/api/user/self' },
  input: z.object({}),
  output: z.undefined(),
  async run(_input, context) {
    const user = signedIn(context)
    if (user.role === 100) {
      throw new GatewayError('conflict', {
        message: `"${user.username}" is the owner of this gateway and cannot be deleted.`,
        reason: { code: 'owner_undeletable', user: user.username },
      })
    }
    context.parts.users.remove(user.id)
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" deleted their own account.`,
        reason: { code: 'audit_account_deleted', user: user.username },
      },
      context,
    )
  },
})

export const userOperations = [list, search, get, create, remove, removeSelf] as const
