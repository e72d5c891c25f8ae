import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import type { User } from '../../store/records/users.ts'

const text = z.string().trim().max(2000)
/** Kept when it is left out or empty, since it is never read back; null clears it. */
const secret = text.nullable().optional()

/** The fields of the preferences, as they are sent and kept. */
export const settingFields = {
  notify_type: z.enum(['email', 'webhook', 'bark', 'gotify']),
  quota_warning_threshold: z
    .number()
    .positive(fieldProblems.field_above_nothing)
    .nullable()
    .describe('Units: with fewer left the user is warned. null = the gateway’s default.'),
  webhook_url: text.optional(),
  webhook_secret: secret,
  notification_email: z.union([z.literal(''), z.email()], fieldProblems.field_email).optional(),
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

/** Fields that are used and never read back. */
export const secretFields = ['webhook_secret', 'gotify_token'] as const

/** The preferences of a user (management-api §4.3), as they are kept. */
const ownSetting = z
  .object({ ...settingFields, sidebar_modules: z.string().optional() })
  .partial()
  .loose()

/** A user's preferences. */
export type OwnSetting = z.infer<typeof ownSetting>

/** The stored part; empty where it cannot be read. */
export function readOwnSetting({ setting }: Pick<User, 'setting'>): OwnSetting {
  if (setting === '') return {}
  try {
    return ownSetting.catch({}).parse(JSON.parse(setting))
  } catch {
    return {}
  }
}

/** The addresses of receivers of notices; many have a key in their path. */
export const urlFields = ['webhook_url', 'bark_url', 'gotify_url'] as const

/** Preferences that others may read: without the places where notices go. */
const openFields = [
  'notify_type',
  'quota_warning_threshold',
  'accept_unset_model_ratio_model',
  'record_ip_log',
] as const

/** The preferences as others read them. */
export function openSetting(user: Pick<User, 'setting'>): string {
  if (user.setting === '') return ''
  const own = readOwnSetting(user)
  return JSON.stringify(Object.fromEntries(openFields.map((name) => [name, own[name]])))
}

/** A sentence for the log, which administrators read too, without the host of a user's receiver. */
export function withoutReceiver(sentence: string, user: Pick<User, 'setting'>): string {
  const own = readOwnSetting(user)
  const hosts = urlFields.map((name) => URL.parse(own[name] ?? '')?.hostname).filter(Boolean)
  return hosts.reduce<string>((text, host) => text.replaceAll(host ?? '', 'the receiver'), sentence)
}

/** The preferences as their own user reads them: without the secrets that are only used, never read. */
export function shownSetting(user: Pick<User, 'setting'>): string {
  if (user.setting === '') return ''
  const shown: Record<string, unknown> = { ...readOwnSetting(user) }
  for (const name of secretFields) delete shown[name]
  return JSON.stringify(shown)
}
