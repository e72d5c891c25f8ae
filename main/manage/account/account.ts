import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { randomText } from '../../base/ids.ts'
import { hashPassword, passwordProblem } from '../../base/password.ts'
import type { User } from '../../store/records/users.ts'
import { checkProof } from '../operation/access.ts'
import { filterText, line } from '../operation/input-fields.ts'
import { jsonObject } from '../operation/json-text.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { ownModels } from '../server/own-models.ts'
import { userChanges } from '../users/user-changes.ts'
import { readOnly, readOnlyFields, usernameField } from '../users/user-fields.ts'
import { toUserRecord, userRecord } from '../users/user-record.ts'
import { noteOwnAct } from './account-event.ts'
import { readOwnSetting } from './kept-setting.ts'
import { ownPasswordProblem } from './own-password.ts'

const ACCESS_TOKEN_LENGTH = 32

const self = defineOperation({
  name: 'user.self',
  summary: 'Reads who is signed in.',
  access: 'user',
  http: { method: 'GET', path: '/api/user/self' },
  input: z.object({}),
  output: userRecord,
  run: (_input, context) => toUserRecord(signedIn(context), context.parts),
})

const updateSelfInput = z.strictObject({
  ...readOnlyFields,
  ...{ id: readOnly, role: readOnly, group: readOnly, email: readOnly, quota: readOnly },
  ...{ permissions: readOnly, has_password: readOnly, has_access_token: readOnly },
  quota_warning: readOnly,
  username: usernameField.optional().describe('Needs a session.'),
  display_name: line(20).optional(),
  language: z.enum(['', 'en', 'zh']).optional(),
  sidebar_modules: jsonObject().optional().describe('A JSON object in a text.'),
  password: z.string().optional().describe('Needs a session.'),
  original_password: z.string().optional(),
})

/** The hash of the new password, once the old one was shown to be known. */
async function changePassword(
  user: User,
  next: string,
  original: string,
  context: OperationContext,
): Promise<string> {
  const problem = passwordProblem(next)
  if (problem) throw new GatewayError('invalid_params', { ...problem, field: 'password' })
  if (user.passwordHash !== null) await checkOriginal(user, original, context)
  return hashPassword(next)
}

async function checkOriginal(user: User, original: string, context: OperationContext) {
  const problem = await ownPasswordProblem(user, original, context)
  if (problem) throw new GatewayError('invalid_params', { ...problem, field: 'original_password' })
}

/** The stored preferences with this choice; undefined where it is the one that is kept. */
function withModules(user: User, modules: Record<string, unknown>): string | undefined {
  const kept = readOwnSetting(user)
  const text = Object.keys(modules).length === 0 ? '' : JSON.stringify(modules)
  if (text === (kept.sidebar_modules ?? '')) return undefined
  return JSON.stringify({ ...kept, sidebar_modules: text })
}

const updateSelf = defineOperation({
  name: 'user.update-self',
  summary:
    'Changes the own name, language or password; a new password ends all other sessions and the access token.',
  access: 'user',
  http: { method: 'PUT', path: '/api/user/self' },
  guesses: 'own-secret',
  input: updateSelfInput,
  output: z.undefined(),
  async run(input, context) {
    const { parts, session } = context
    const user = signedIn(context)
    const { password, original_password: original = '', sidebar_modules: modules } = input
    const isRenamed = input.username !== undefined && input.username !== user.username
    if (password || isRenamed) checkProof('session', context)
    const passwordHash = password
      ? await changePassword(user, password, original, context)
      : undefined
    const fields = {
      username: input.username,
      displayName: input.display_name,
      language: input.language,
      passwordHash,
      setting: modules && withModules(parts.users.byId(user.id) ?? user, modules),
    }
    const ends = passwordHash ? { exceptId: session?.id } : undefined
    const after = parts.users.update(user.id, fields, ends)
    for (const sentence of userChanges(user, after)) await noteOwnAct(after, sentence, context)
    if (!passwordHash) return
    await noteOwnAct(
      user,
      {
        message: `"${user.username}" changed their password.`,
        reason: { code: 'audit_password_changed', user: user.username },
      },
      context,
    )
  },
})

const renewAccessToken = async (_input: unknown, context: OperationContext): Promise<string> => {
  const accessToken = randomText(ACCESS_TOKEN_LENGTH)
  const user = context.parts.users.update(signedIn(context).id, { accessToken })
  await noteOwnAct(
    user,
    {
      message: `"${user.username}" made a new access token.`,
      reason: { code: 'audit_access_token_made', user: user.username },
    },
    context,
  )
  return accessToken
}

const accessToken = defineOperation({
  name: 'user.access-token',
  summary:
    'Makes a new access token for this API in place of the one before; a new password, a change of the second factor, being disabled or demoted ends it.',
  access: 'user',
  proof: 'recent',
  http: { method: 'POST', path: '/api/user/token' },
  limit: 'critical',
  input: z.strictObject({}),
  output: z.string(),
  run: renewAccessToken,
})

const accessTokenGet = defineOperation({
  name: 'user.access-token-get',
  summary: 'The same, as clients of new-api ask for it.',
  access: 'user',
  proof: 'recent',
  http: { method: 'GET', path: '/api/user/token' },
  hasEffect: true,
  limit: 'critical',
  input: z.object({}),
  output: z.string(),
  run: renewAccessToken,
})

const models = defineOperation({
  name: 'user.models',
  summary: "Lists the models that the user's group, or the one that is named, may use.",
  access: 'user',
  http: { method: 'GET', path: '/api/user/models' },
  input: z.object({ group: filterText }),
  output: z.array(z.string()),
  run: ({ group }, context): string[] => ownModels(context, group),
})

export const accountOperations = [self, updateSelf, accessToken, accessTokenGet, models] as const
