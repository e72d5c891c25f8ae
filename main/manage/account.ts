import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import { randomText } from '../base/ids.ts'
import { hashPassword, passwordProblem, verifyPassword } from '../base/password.ts'
import type { User } from '../store/users.ts'
import { filterText, line } from './input-fields.ts'
import { defineOperation, type OperationContext } from './operation.ts'
import { signedIn } from './signed-in.ts'
import { toUserRecord } from './user-record.ts'

const ACCESS_TOKEN_LENGTH = 32

const self = defineOperation({
  name: 'user.self',
  access: 'user',
  http: { method: 'GET', path: '/api/user/self' },
  input: z.object({}),
  run: (_input, context) => toUserRecord(signedIn(context), context.parts),
})

const updateSelfInput = z.strictObject({
  username: line(20).min(1, 'cannot be empty').optional(),
  display_name: line(20).optional(),
  language: z.enum(['', 'en', 'zh']).optional(),
  password: z.string().optional(),
  original_password: z.string().optional(),
})

/** The hash of the new password, once the old one was shown to be known. */
async function changePassword(user: User, next: string, original: string): Promise<string> {
  const problem = passwordProblem(next)
  if (problem) throw new GatewayError('invalid_params', { message: problem, field: 'password' })
  if (user.passwordHash !== null && !(await verifyPassword(original, user.passwordHash))) {
    throw new GatewayError('invalid_params', {
      message: 'The present password is wrong.',
      field: 'original_password',
    })
  }
  return hashPassword(next)
}

const updateSelf = defineOperation({
  name: 'user.update-self',
  access: 'user',
  http: { method: 'PUT', path: '/api/user/self' },
  input: updateSelfInput,
  async run(input, context) {
    const { parts, session } = context
    const user = signedIn(context)
    const { password, original_password: original = '' } = input
    const passwordHash = password ? await changePassword(user, password, original) : undefined
    parts.users.update(user.id, {
      username: input.username,
      displayName: input.display_name,
      language: input.language,
      passwordHash,
    })
    if (passwordHash) parts.sessions.removeOfUser(user.id, session?.id)
  },
})

const renewAccessToken = (_input: unknown, context: OperationContext): string => {
  const accessToken = randomText(ACCESS_TOKEN_LENGTH)
  context.parts.users.update(signedIn(context).id, { accessToken })
  return accessToken
}

const accessToken = defineOperation({
  name: 'user.access-token',
  access: 'user',
  http: { method: 'POST', path: '/api/user/token' },
  limit: 'critical',
  input: z.strictObject({}),
  run: renewAccessToken,
})

const accessTokenGet = defineOperation({
  name: 'user.access-token-get',
  access: 'user',
  http: { method: 'GET', path: '/api/user/token' },
  limit: 'critical',
  input: z.object({}),
  run: renewAccessToken,
})

const models = defineOperation({
  name: 'user.models',
  access: 'user',
  http: { method: 'GET', path: '/api/user/models' },
  input: z.object({ group: filterText }),
  run: ({ group }, context): string[] => [
    ...context.parts.channels.models(group || signedIn(context).group),
  ],
})

export const accountOperations = [self, updateSelf, accessToken, accessTokenGet, models] as const
