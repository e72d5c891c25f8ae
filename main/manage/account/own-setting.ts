import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { User } from '../../store/users.ts'
import { hostOf, isForbiddenHost, isPrivateHost } from '../channel-base-url.ts'
import { defineOperation } from '../operation.ts'
import { signedIn } from '../signed-in.ts'

const text = z.string().trim().max(2000)
/** Kept when it is left out or empty, since it is never read back; null clears it. */
const secret = text.nullable().optional()

const fields = {
  notify_type: z.enum(['email', 'webhook', 'bark', 'gotify']),
  quota_warning_threshold: z
    .number()
    .positive('must be more than 0')
    .describe('Units: with fewer left the user is warned.'),
  webhook_url: text.optional(),
  webhook_secret: secret,
  notification_email: z.union([z.literal(''), z.email()], 'must be an e-mail address').optional(),
  bark_url: text.optional(),
  gotify_url: text.optional(),
  gotify_token: secret,
  gotify_priority: z.int().min(0).max(10).optional(),
  accept_unset_model_ratio_model: z
    .boolean()
    .optional()
    .describe('Models without a price may be used.'),
  record_ip_log: z.boolean().optional().describe('The own log shows the address of each call.'),
}

const secretFields = ['webhook_secret', 'gotify_token'] as const

/** The preferences of a user (management-api §4.3), as they are kept. */
const ownSetting = z
  .object({ ...fields, sidebar_modules: z.string().optional() })
  .partial()
  .loose()

export type OwnSetting = z.infer<typeof ownSetting>

/** What is kept of it; nothing where that cannot be read. */
export function readOwnSetting({ setting }: Pick<User, 'setting'>): OwnSetting {
  if (setting === '') return {}
  try {
    return ownSetting.catch({}).parse(JSON.parse(setting))
  } catch {
    return {}
  }
}

/** The preferences as records show them: without the secrets that are only used, never read. */
export function shownSetting(user: Pick<User, 'setting'>): string {
  if (user.setting === '') return ''
  const shown: Record<string, unknown> = { ...readOwnSetting(user) }
  for (const name of secretFields) delete shown[name]
  return JSON.stringify(shown)
}

const urlFields = ['webhook_url', 'bark_url', 'gotify_url'] as const

const refuse = (field: string, message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field })

/** What the gateway would be made to ask must be a public web address, unless the owner says so. */
function checkUrl(field: string, typed: string, user: User): void {
  if (typed === '') return
  const url = URL.canParse(typed) ? new URL(typed) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw refuse(
      field,
      `The field "${field}" must be an address that begins with http:// or https://.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse(field, `The field "${field}" cannot hold a user name or a password.`)
  }
  const host = hostOf(url)
  if (isForbiddenHost(host) || (user.role !== 100 && isPrivateHost(host))) {
    throw refuse(field, `The field "${field}" leads to ${url.host}, which is no public address.`)
  }
}

const needed: Readonly<Record<string, readonly (keyof OwnSetting)[]>> = {
  webhook: ['webhook_url'],
  bark: ['bark_url'],
  gotify: ['gotify_url', 'gotify_token'],
}

const update = defineOperation({
  name: 'user.setting',
  summary: "Changes how the user is notified, and the user's preferences for calls.",
  access: 'user',
  http: { method: 'PUT', path: '/api/user/setting' },
  input: z.strictObject(fields),
  output: z.undefined(),
  run(input, context) {
    const user = signedIn(context)
    for (const field of urlFields) checkUrl(field, input[field] ?? '', user)
    const before = readOwnSetting(user)
    const next: OwnSetting = { ...before, ...input }
    for (const name of secretFields) {
      if (input[name] === null) delete next[name]
      else if (!input[name]) next[name] = before[name]
    }
    for (const field of needed[input.notify_type] ?? []) {
      if (!next[field])
        throw refuse(field, `The field "${field}" is needed for this kind of notice.`)
    }
    context.parts.users.update(user.id, { setting: JSON.stringify(next) })
  },
})

export const ownSettingOperations = [update] as const
