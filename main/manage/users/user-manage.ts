import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Reason } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'
import { noteAdminAct } from '../account/account-event.ts'
import { checkProof } from '../operation/access.ts'
import { integer, recordId } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { quotaChange } from './quota-grant.ts'
import { type AdminUserRecord, adminUserRecord } from './user-record.ts'
import { reachableUser, refuseLastOwner } from './user-rules.ts'
import { removeUser } from './users.ts'

const conflict = (message: string, reason: Reason): GatewayError =>
  new GatewayError('conflict', { message, reason })

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

function ownerOnly(context: OperationContext): void {
  if (signedIn(context).role === 100) return
  throw new GatewayError('forbidden', {
    message: 'Only the owner may do this.',
    reason: { code: 'only_owner' },
  })
}

async function setStatus(user: User, status: User['status'], context: OperationContext) {
  if (status === 2) refuseLastOwner(user, 'disabled', context.parts)
  context.parts.users.update(user.id, { status }, status === 2 ? {} : undefined)
  if (status === user.status) return
  const word = status === 1 ? 'enabled' : 'disabled'
  await noteAdminAct(
    user,
    {
      message: `"${user.username}" was ${word}.`,
      reason: { code: `audit_user_${word}`, user: user.username },
    },
    context,
  )
}

async function setRole(user: User, role: 1 | 10, context: OperationContext) {
  ownerOnly(context)
  if (user.role === role) {
    throw conflict(
      `"${user.username}" is ${role === 10 ? 'an administrator' : 'a common user'} already.`,
      { code: role === 10 ? 'already_administrator' : 'already_common_user', user: user.username },
    )
  }
  // Who owns the gateway is neither above nor below an administrator: that is not for this to change.
  if (user.role === 100)
    throw conflict(`"${user.username}" is the owner of this gateway.`, {
      code: 'user_is_owner',
      user: user.username,
    })
  if (role > user.role) checkProof('session', context)
  // Sessions read the role anew with every request; a script may not go on unnoticed.
  context.parts.users.update(user.id, role < user.role ? { role, accessToken: null } : { role })
  const word = role === 10 ? 'an administrator' : 'a common user'
  await noteAdminAct(
    user,
    {
      message: `"${user.username}" was made ${word}.`,
      reason: {
        code: role === 10 ? 'audit_made_administrator' : 'audit_made_common',
        user: user.username,
      },
    },
    context,
  )
}

const modes = z.enum(['add', 'subtract', 'override'])

/** Sums stop at what a user can hold; what is taken away stops at 0, but forgives no debt. */
const sums: Readonly<Record<z.infer<typeof modes>, (value: number) => (before: number) => number>> =
  {
    add: (value) => (before) => before + value,
    subtract: (value) => (before) => Math.max(before - value, Math.min(before, 0)),
    override: (value) => () => value,
  }

async function changeQuota(
  user: User,
  { mode, value }: { mode?: z.infer<typeof modes> | undefined; value?: number | undefined },
  context: OperationContext,
) {
  if (mode === undefined)
    throw refuse('mode', 'The field "mode" is missing. Use "add", "subtract" or "override".', {
      code: 'field_missing',
    })
  if (value === undefined)
    throw refuse('value', 'The field "value" is missing. Enter a number of units.', {
      code: 'field_missing',
    })
  if (value > MAX_QUOTA)
    throw refuse('value', `The value can be at most ${quotaText(MAX_QUOTA)}.`, {
      code: 'field_too_large',
      most: quotaText(MAX_QUOTA),
    })
  const least = mode === 'override' ? 0 : 1
  if (value < least)
    throw refuse('value', `The field "value" is too small: at least ${least}.`, {
      code: 'field_too_small',
      least,
    })
  const { parts } = context
  const change = quotaChange(user, sums[mode](value), parts)
  if (!change) return
  parts.users.update(user.id, { quota: change.quota })
  await noteAdminAct(user, change.note, context)
}

const actions = {
  disable: (user: User, context: OperationContext) => setStatus(user, 2, context),
  enable: (user: User, context: OperationContext) => setStatus(user, 1, context),
  delete: removeUser,
  promote: (user: User, context: OperationContext) => setRole(user, 10, context),
  demote: (user: User, context: OperationContext) => setRole(user, 1, context),
}

/** A record in which nothing is filled in, as new-api answers here. */
const blank: Omit<AdminUserRecord, 'role' | 'status'> = {
  ...{ id: 0, username: '', password: '', original_password: '', display_name: '', group: '' },
  ...{ email: '', github_id: '', discord_id: '', oidc_id: '', wechat_id: '', telegram_id: '' },
  ...{ linux_do_id: '', quota: 0, used_quota: 0, request_count: 0, unpriced_calls: 0 },
  ...{ estimated_calls: 0, aff_code: '', aff_count: 0 },
  ...{ aff_quota: 0, aff_history_quota: 0, inviter_id: 0, setting: '', stripe_customer: '' },
  ...{ two_factor_enabled: false, created_time: 0, DeletedAt: null },
}

const manage = defineOperation({
  name: 'user.manage',
  summary:
    'Disables, enables, deletes, promotes or demotes a user, or changes what is left to use.',
  access: 'admin',
  http: { method: 'POST', path: '/api/user/manage' },
  input: z.strictObject({
    id: recordId,
    action: z.enum(['disable', 'enable', 'delete', 'promote', 'demote', 'add_quota']),
    mode: modes.optional().describe('Of `add_quota`.'),
    value: integer.optional().describe('Units, of `add_quota`.'),
  }),
  output: adminUserRecord.describe('Only `role` and `status` are filled in.'),
  async run({ id, action, mode, value }, context) {
    const user = reachableUser(id, context)
    if (action === 'add_quota') await changeQuota(user, { mode, value }, context)
    else await actions[action](user, context)
    const { role, status } = context.parts.users.byId(id) ?? user
    return { ...blank, role, status }
  },
})

export const userManageOperations = [manage] as const
