import type { ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'
import type { ChannelDraft } from './channel-draft.ts'

/** The label of each advanced field, by its name in the API. */
const advancedLabels = {
  group: 'channelForm.groups',
  tag: 'channelForm.tag',
  auto_ban: 'channelForm.autoBan',
  priority: 'channelForm.priority',
  weight: 'channelForm.weight',
  model_mapping: 'channelForm.mapping',
  test_model: 'channelForm.testModel',
  openai_organization: 'channelForm.organization',
  other: 'channelForm.other',
  param_override: 'channelForm.paramOverride',
  header_override: 'channelForm.headerOverride',
  status_code_mapping: 'channelForm.statusMapping',
  settings: 'channelForm.endpointTypes',
  connect_seconds: 'channelForm.connect_seconds',
  first_byte_seconds: 'channelForm.first_byte_seconds',
  idle_seconds: 'channelForm.idle_seconds',
  total_seconds: 'channelForm.total_seconds',
  setting: 'channelForm.proxy',
  remark: 'channelForm.remark',
} as const

export const advancedFields = Object.keys(advancedLabels) as (keyof typeof advancedLabels)[]

/** The label of every field of the form. */
export const channelLabels = {
  name: 'channelForm.name',
  key: 'channelForm.key',
  base_url: 'channelForm.baseUrl',
  models: 'channelForm.models',
  ...advancedLabels,
} as const

export type ChannelField = keyof typeof channelLabels

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
