import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { noteAdminAct } from '../account/account-event.ts'
import { recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { reachableUser } from './user-rules.ts'

const stats = defineOperation({
  name: 'two-factor.stats',
  summary: 'Says how many users have a second factor on.',
  access: 'admin',
  http: { method: 'GET', path: '/api/user/2fa/stats' },
  input: z.object({}),
  output: z.strictObject({
    total_users: z.int(),
    enabled_users: z.int(),
    enabled_rate: z.string().describe('Per cent with one decimal, such as `12.5%`.'),
  }),
  run(_input, { parts }) {
    const all = parts.users.all()
    const enabled = all.filter(({ twoFactor }) => twoFactor?.isEnabled).length
    return {
      total_users: all.length,
      enabled_users: enabled,
      enabled_rate: `${((100 * enabled) / Math.max(1, all.length)).toFixed(1)}%`,
    }
  },
})

const reset = defineOperation({
  name: 'two-factor.reset',
  summary:
    'Removes the second factor of a user of a lower role and ends the sessions of that user.',
  access: 'admin',
  proof: 'session',
  http: { method: 'DELETE', path: '/api/user/:id/2fa' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  async run({ id }, context) {
    const { users } = context.parts
    const user = reachableUser(id, context)
    if (user.id === signedIn(context).id) {
      throw new GatewayError('conflict', {
        message: 'Switch your own second factor off with a code, in Settings.',
        reason: { code: 'own_factor_in_settings' },
      })
    }
    if (!user.twoFactor) {
      throw new GatewayError('conflict', {
        message: `"${user.username}" has no second factor.`,
        reason: { code: 'user_without_factor', user: user.username },
      })
    }
    users.update(id, { twoFactor: null }, {})
    await noteAdminAct(
      user,
      {
        message: `The second factor of "${user.username}" was removed.`,
        reason: { code: 'audit_factor_removed', user: user.username },
      },
      context,
    )
  },
})

export const twoFactorAdminOperations = [stats, reset] as const
