import type { ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'
import { type ChannelDraft, timeLimits } from './channel-draft.ts'

/** The wire's names of the fields that most channels never need. */
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

/** The wire's names of all fields that the form shows, to put a refusal beside its field. */
export const channelFields = ['name', 'key', 'base_url', 'models', ...advancedFields] as const

export type ChannelField = (typeof channelFields)[number]

/** What each part of the form works with. */
export interface ChannelFormPart {
  draft: ChannelDraft
  set: (fields: Partial<ChannelDraft>) => void
  /** The server's sentence by field. */
  at: Partial<Record<ChannelField, string>>
  preset: ChannelPreset | undefined
  /** The channel being edited; undefined for a new one. */
  stored: ChannelRecord | undefined
  /** The stored key was given for another address than the draft's. */
  isMoved: boolean
}
