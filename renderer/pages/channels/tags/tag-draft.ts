import type { OperationInput } from '../../../../preload/contract.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { type MappingRow, mappingOfRows, splitList } from '../form/channel-draft.ts'

/** API names of the fields that can be changed for all channels of a tag. */
export const tagFields = [
  'new_tag',
  'models',
  'groups',
  'priority',
  'weight',
  'model_mapping',
  'param_override',
  'header_override',
] as const
export type TagField = (typeof tagFields)[number]

/** The label of each. */
export const tagLabels = {
  new_tag: 'channelTags.field_new_tag',
  models: 'channelTags.field_models',
  groups: 'channelTags.field_groups',
  priority: 'channelTags.field_priority',
  weight: 'channelTags.field_weight',
  model_mapping: 'channelTags.field_model_mapping',
  param_override: 'channelTags.field_param_override',
  header_override: 'channelTags.field_header_override',
} as const

/** Only enabled fields are sent. */
export interface TagDraft {
  changes: readonly TagField[]
  newTag: string
  /** Null until edited; the field then shows the longest list among the channels. */
  models: string[] | null
  groups: string[]
  priority: number
  weight: number
  mapping: MappingRow[]
  paramOverride: string
  headerOverride: string
}

export function draftOfTag(tag: string, channels: readonly ChannelRecord[]): TagDraft {
  return {
    changes: [],
    newTag: tag,
    models: null,
    groups: [...new Set(channels.flatMap(({ group }) => splitList(group)))],
    priority: Math.max(0, ...channels.map(({ priority }) => priority ?? 0)),
    weight: Math.max(0, ...channels.map(({ weight }) => weight ?? 0)),
    mapping: [],
    paramOverride: '',
    headerOverride: '',
  }
}

/** Fields of the API; `models` is the list shown before editing. */
export function fieldsOfTag(
  tag: string,
  draft: TagDraft,
  models: readonly string[],
): OperationInput<'channel.tag-update'> {
  const all = {
    new_tag: draft.newTag.trim(),
    models: (draft.models ?? models).join(','),
    groups: draft.groups.join(','),
    priority: draft.priority,
    weight: draft.weight,
    // An empty text would leave the mapping unchanged.
    model_mapping: JSON.stringify(mappingOfRows(draft.mapping)),
    param_override: draft.paramOverride.trim(),
    header_override: draft.headerOverride.trim(),
  }
  const changed = Object.entries(all).filter(([field]) =>
    draft.changes.some((change) => change === field),
  )
  return { tag, ...Object.fromEntries(changed) }
}
