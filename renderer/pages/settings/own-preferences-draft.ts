import type { OperationInput } from '../../../preload/contract.ts'
import { dollarsOf, unitsOf } from '../../components/quota-units.ts'
import { readObject } from '../../components/read-object.ts'

type Fields = OperationInput<'user.setting'>
type NoticeKind = Fields['notify_type']

const kinds: readonly NoticeKind[] = ['email', 'webhook', 'bark', 'gotify']

/** One's preferences as the form edits them. */
export interface PreferencesDraft {
  /** US dollars, or the text being typed; empty as long as none was chosen. */
  dollars: number | string
  acceptsUnpriced: boolean
  showsAddresses: boolean
}

/** The draft of the JSON that a user's record carries. */
export function draftOfPreferences(setting: string): PreferencesDraft {
  const stored = readObject(setting)
  const threshold = stored.quota_warning_threshold
  return {
    dollars: typeof threshold === 'number' ? dollarsOf(threshold) : '',
    acceptsUnpriced: stored.accept_unset_model_ratio_model === true,
    showsAddresses: stored.record_ip_log === true,
  }
}

/** The draft as fields of the wire; how notices would be sent stays as it is stored. */
export function fieldsOfPreferences(setting: string, draft: PreferencesDraft): Fields {
  const stored = readObject(setting).notify_type
  return {
    notify_type: kinds.find((kind) => kind === stored) ?? 'email',
    quota_warning_threshold: unitsOf(draft.dollars),
    accept_unset_model_ratio_model: draft.acceptsUnpriced,
    record_ip_log: draft.showsAddresses,
  }
}
