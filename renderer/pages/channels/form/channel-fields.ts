import type { ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'
import { type ChannelDraft, timeLimits } from './channel-draft.ts'

/** API names of the advanced fields. */
export const advancedFields = [
  'group',
  'tag',
  'auto_ban',
  'priority',
  'weight',
  'model_mapping',
  'test_model',
  'openai_organization',
  'other',
  'param_override',
  'header_override',
  'status_code_mapping',
  'settings',
  ...timeLimits,
  'setting',
  'proxy',
  'remark',
] as const

/** API names of all fields of the form, to put a refusal beside its field. */
export const channelFields = ['name', 'key', 'base_url', 'models', ...advancedFields] as const

export type ChannelField = (typeof channelFields)[number]

/** Props of each part of the form. */
export interface ChannelFormPart {
  draft: ChannelDraft
  set: (fields: Partial<ChannelDraft>) => void
  /** The server's message by field. */
  at: Partial<Record<ChannelField, string>>
  preset: ChannelPreset | undefined
  /** Undefined for a new channel. */
  stored: ChannelRecord | undefined
  /** The draft's address differs from the one that the stored key was given for. */
  isMoved: boolean
}
