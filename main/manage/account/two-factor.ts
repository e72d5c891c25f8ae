import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { noteOwnAct } from './account-event.ts'
import { createBackupCodes, unusedBackupCodes } from './backup-codes.ts'
import { codeText } from './code-field.ts'
import { lockLeft, oneAtATime, takeCode } from './second-factor.ts'
import { createSecret, totpAddress } from './totp.ts'

const backupCodes = z.array(z.string()).describe('Four codes, `XXXX-XXXX`, each good for one use.')

const status = defineOperation({
  name: 'two-factor.status',
  summary: 'Says whether the second factor is on, and how many backup codes are left.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/2fa/status' },
  input: z.object({}),
  output: z.strictObject({
    enabled: z.boolean(),
    locked: z.boolean().describe('Too many wrong codes: none is taken for some minutes.'),
    backup_codes_remaining: z.int().optional().describe('Only while it is on.'),
  }),
  run(_input, context) {
    const factor = signedIn(context).twoFactor
    if (!factor) return { enabled: false, locked: false }
    return {
      enabled: factor.isEnabled,
      locked: lockLeft(factor.lockedUntil) > 0,
      ...(factor.isEnabled && { backup_codes_remaining: unusedBackupCodes(factor.backupCodes) }),
    }
  },
})

const setup = defineOperation({
  name: 'two-factor.setup',
  summary: 'Makes a new secret and backup codes; they count once they are switched on with a code.',
  access: 'user',
  proof: 'recent',
  http: { method: 'POST', path: '/api/user/2fa/setup' },
  input: z.object({}),
  output: z.strictObject({
    secret: z.string().describe('Base32, for an app that reads no QR code.'),
    qr_code_data: z.string().describe('The address `otpauth://totp/…` to show as a QR code.'),
    backup_codes: backupCodes,
  }),
  async run(_input, context) {
    const { users, settings } = context.parts
    const user = signedIn(context)
    // One after the other, so that many at once leave turns for the passwords of others.
    const { codes, stored } = await oneAtATime(user, createBackupCodes)
    if (users.byId(user.id)?.twoFactor?.isEnabled) {
      throw new GatewayError('conflict', {
        message: 'The second factor is on already. Switch it off first to set it up anew.',
        reason: { code: 'factor_on_switch_off' },
      })
    }
    const secret = createSecret()
    users.update(user.id, {
      twoFactor: {
        ...{ secret, isEnabled: false, failedAttempts: 0, lockedUntil: 0, lastStep: 0 },
        backupCodes: stored,
        createdAt: unixSeconds(),
      },
    })
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" began to set up a second factor.`,
        reason: { code: 'audit_factor_begun', user: user.username },
      },
      context,
    )
    return {
      secret,
      qr_code_data: totpAddress(secret, user.username, settings.current.SystemName),
      backup_codes: codes,
    }
  },
})

const enable = defineOperation({
  name: 'two-factor.enable',
  summary: 'Switches the second factor on that was set up, with a code of the app.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/user/2fa/enable' },
  guesses: 'own-secret',
  input: z.strictObject({
    code: codeText.regex(/^(?:\s*\d){6}\s*$/, fieldProblems.field_six_digits),
  }),
  output: z.undefined(),
  async run({ code }, context) {
    const user = signedIn(context)
    await takeCode(
      user,
      code,
      {
        state: 'pending',
        takesBackup: false,
        apply: (factor) => ({ ...factor, isEnabled: true }),
        endsOtherSessions: true,
      },
      context,
    )
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" switched the second factor on.`,
        reason: { code: 'audit_factor_on', user: user.username },
      },
      context,
    )
  },
})

const disable = defineOperation({
  name: 'two-factor.disable',
  summary: 'Switches the second factor off and ends all other sessions.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/user/2fa/disable' },
  guesses: 'own-secret',
  input: z.strictObject({ code: codeText }),
  output: z.undefined(),
  async run({ code }, context) {
    const user = signedIn(context)
    const use = { state: 'enabled', takesBackup: true, endsOtherSessions: true } as const
    await takeCode(user, code, { ...use, apply: () => null }, context)
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" switched the second factor off.`,
        reason: { code: 'audit_factor_off', user: user.username },
      },
      context,
    )
  },
})

const regenerate = defineOperation({
  name: 'two-factor.backup-codes',
  summary: 'Makes new backup codes in place of the old ones and ends all other sessions.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/user/2fa/backup_codes' },
  guesses: 'own-secret',
  input: z.strictObject({ code: codeText }),
  output: z.strictObject({ backup_codes: backupCodes }),
  async run({ code }, context) {
    const user = signedIn(context)
    let fresh: string[] = []
    await takeCode(
      user,
      code,
      {
        state: 'enabled',
        takesBackup: false,
        async apply(factor) {
          const { codes, stored } = await createBackupCodes()
          fresh = codes
          return { ...factor, backupCodes: stored }
        },
        endsOtherSessions: true,
      },
      context,
    )
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" made new backup codes.`,
        reason: { code: 'audit_backup_codes', user: user.username },
      },
      context,
    )
    return { backup_codes: fresh }
  },
})

export const twoFactorOperations = [status, setup, enable, disable, regenerate] as const
