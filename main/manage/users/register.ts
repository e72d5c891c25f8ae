import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { quotaText } from '../../base/quota-text.ts'
import { noteOwnAct } from '../account/account-event.ts'
import { defineOperation } from '../operation/operation.ts'
import { hashNewPassword, usernameField } from './user-fields.ts'

/** For features that aren't offered here: accepted without effect. */
const notOffered = z.unknown().optional()

const register = defineOperation({
  name: 'user.register',
  summary: 'Makes an account of a common user, where the owner allows that.',
  access: 'none',
  http: { method: 'POST', path: '/api/user/register' },
  limit: 'critical',
  input: z.strictObject({
    username: usernameField,
    password: z.string(),
    email: notOffered,
    verification_code: notOffered,
    aff_code: notOffered,
  }),
  output: z.undefined(),
  before({ parts }) {
    const { RegisterEnabled, PasswordRegisterEnabled } = parts.settings.current
    if (RegisterEnabled && PasswordRegisterEnabled && parts.state.data.setup !== null) return
    throw new GatewayError('forbidden', {
      message: 'Registration is closed. Ask the owner of this gateway for an account.',
      reason: { code: 'registration_closed' },
    })
  },
  async run({ username, password }, context) {
    const { users, settings } = context.parts
    const passwordHash = await hashNewPassword(password)
    const quota = settings.current.QuotaForNewUser
    const user = users.create({ username, passwordHash, quota })
    await noteOwnAct(
      user,
      {
        message: `"${username}" registered, with ${quotaText(quota)}.`,
        reason: { code: 'audit_registered', user: username, amount: quotaText(quota) },
      },
      context,
    )
  },
})

export const registerOperations = [register] as const
