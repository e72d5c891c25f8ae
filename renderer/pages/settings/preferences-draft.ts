import type { OperationInput } from '../../../preload/contract.ts'
import { dollarsOf, unitsOf } from '../../components/format/quota-units.ts'
import { readObject } from '../../components/forms/read-object.ts'

type Fields = OperationInput<'user.setting'>

/** `email` is the API's word for none: no e-mail is sent. */
export const noticeKinds = ['email', 'webhook', 'bark', 'gotify'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The label of each field of the form, by its name in the API. */
export const preferenceLabels = {
  quota_warning_threshold: 'settings.warnBelow',
  notify_type: 'settings.noticeKind',
  webhook_url: 'settings.noticeUrl',
  webhook_secret: 'settings.webhookSecret',
  bark_url: 'settings.noticeUrl',
  gotify_url: 'settings.noticeUrl',
  gotify_token: 'settings.gotifyToken',
  gotify_priority: 'settings.gotifyPriority',
} as const

/** Preferences as the form edits them. */
export interface PreferencesDraft {
  /** US dollars, or the text being typed; empty for the gateway's default. */
  dollars: number | string
  kind: NoticeKind
  webhookUrl: string
  /** Write-only, like the Gotify token; empty keeps the stored one. */
  webhookSecret: string
  barkUrl: string
  gotifyUrl: string
  gotifyToken: string
  /** 0 to 10, or the text being typed; empty for the default. */
  gotifyPriority: number | string
  acceptsUnpriced: boolean
  showsAddresses: boolean
}

/** From the JSON text of the user's record. */
export function draftOfPreferences(setting: string): PreferencesDraft {
  const stored = readObject(setting)
  const threshold = stored.quota_warning_threshold
  const text = (name: string) => (typeof stored[name] === 'string' ? String(stored[name]) : '')
  return {
    dollars: typeof threshold === 'number' ? dollarsOf(threshold) : '',
    kind: noticeKinds.find((kind) => kind === stored.notify_type) ?? 'email',
    webhookUrl: text('webhook_url'),
    webhookSecret: '',
    barkUrl: text('bark_url'),
    gotifyUrl: text('gotify_url'),
    gotifyToken: '',
    gotifyPriority: typeof stored.gotify_priority === 'number' ? stored.gotify_priority : '',
    acceptsUnpriced: stored.accept_unset_model_ratio_model === true,
    showsAddresses: stored.record_ip_log === true,
  }
}

/** Sends only the fields of the chosen kind of notification. */
export function fieldsOfPreferences(draft: PreferencesDraft): Fields {
  return {
    notify_type: draft.kind,
    quota_warning_threshold: draft.dollars === '' ? null : unitsOf(draft.dollars),
    ...noticeFields(draft),
    accept_unset_model_ratio_model: draft.acceptsUnpriced,
    record_ip_log: draft.showsAddresses,
  }
}

function noticeFields(draft: PreferencesDraft): Partial<Fields> {
  const { kind, webhookSecret, gotifyToken, gotifyPriority } = draft
  if (kind === 'webhook')
    return {
      webhook_url: draft.webhookUrl.trim(),
      ...(webhookSecret.trim() && { webhook_secret: webhookSecret.trim() }),
    }
  if (kind === 'bark') return { bark_url: draft.barkUrl.trim() }
  if (kind !== 'gotify') return {}
  return {
    gotify_url: draft.gotifyUrl.trim(),
    ...(gotifyToken.trim() && { gotify_token: gotifyToken.trim() }),
    ...(gotifyPriority !== '' && { gotify_priority: Number(gotifyPriority) }),
  }
}
