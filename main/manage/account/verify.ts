import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { User } from '../../store/records/users.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { ownPasswordProblem } from './own-password.ts'
import { takeCode } from './second-factor.ts'
import { isShownByWindow, VERIFIED_SECONDS } from './step-up.ts'

const method = z.enum(['2fa', 'password'])

type Method = z.infer<typeof method>

const methodsOf = (user: User): Method[] => [
  ...(user.twoFactor?.isEnabled ? (['2fa'] as const) : []),
  ...(user.passwordHash !== null ? (['password'] as const) : []),
]

const missing: Readonly<Record<Method, string>> = {
  '2fa': 'No second factor is on for this account. Enter the password instead.',
  password: 'This account has no password. Set one in Settings first.',
}

const run = defineOperation({
  name: 'verify.run',
  summary:
    'Shows again who is signed in, so that secrets may be revealed for the next five minutes.',
  access: 'user',
  proof: 'session',
  http: { method: 'POST', path: '/api/verify' },
  guesses: 'own-secret',
  limit: 'critical',
  input: z.strictObject({
    method,
    code: z
      .string()
      .min(1, fieldProblems.field_missing)
      .max(1000)
      .describe('A code of the app, a backup code, or the password.'),
  }),
  output: z.strictObject({
    verified: z.literal(true),
    expires_at: z.int().describe('Unix seconds.'),
  }),
  async run(input, context) {
    const user = signedIn(context)
    const { verification } = context
    if (!verification) {
      throw new GatewayError('forbidden', {
        message: 'An access token has no session to verify. Sign in to the console.',
        reason: { code: 'access_token_unverifiable' },
      })
    }
    if (!methodsOf(user).includes(input.method)) {
      throw new GatewayError('conflict', {
        message: missing[input.method],
        field: 'method',
        reason: { code: input.method === '2fa' ? 'no_factor_to_verify' : 'no_password_to_verify' },
      })
    }
    if (input.method === '2fa') {
      await takeCode(user, input.code, { state: 'enabled', takesBackup: true }, context)
    } else {
      const problem = await ownPasswordProblem(user, input.code, context)
      if (problem) throw new GatewayError('invalid_code', { ...problem, field: 'code' })
    }
    return { verified: true as const, expires_at: await verification.mark() }
  },
})

const status = defineOperation({
  name: 'verify.status',
  summary: 'Says whether who is signed in has shown it again lately, and how it can be shown.',
  access: 'user',
  http: { method: 'GET', path: '/api/verify' },
  input: z.object({}),
  output: z.strictObject({
    verified: z.boolean(),
    expires_at: z
      .int()
      .nullable()
      .describe('Unix seconds; null while it is not verified, or for good.'),
    methods: z.array(method),
  }),
  run(_input, context) {
    const user = signedIn(context)
    const left = (context.verification?.expiresAt ?? 0) - unixSeconds()
    const holds = left > 0 && left <= VERIFIED_SECONDS
    return {
      verified: holds || isShownByWindow(context),
      expires_at: holds ? (context.verification?.expiresAt ?? null) : null,
      methods: context.verification ? methodsOf(user) : [],
    }
  },
})

export const verifyOperations = [run, status] as const
