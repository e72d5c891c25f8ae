import type { OperationInput } from '../../../../preload/contract.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { type MappingRow, mappingOfRows, splitList } from '../form/channel-draft.ts'

/** The wire's names of what can be changed in all channels of a tag. */
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

/** The form's own copy; only what is ticked to be changed is sent. */
export interface TagDraft {
  changes: readonly TagField[]
  newTag: string
  /** null until something is entered; the longest list of the channels then stands there. */
  models: string[] | null
  groups: string[]
  priority: number
  weight: number
  mapping: MappingRow[]
  paramOverride: string
  headerOverride: string
}

/** The draft with which the channels of a tag are edited: nothing is changed yet. */
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

/** What the draft changes, as fields of the wire; `models` is the list that was there. */
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
    // An empty text would leave the mapping as it is.
    model_mapping: JSON.stringify(mappingOfRows(draft.mapping)),
    param_override: draft.paramOverride.trim(),
    header_override: draft.headerOverride.trim(),
  }
  const changed = Object.entries(all).filter(([field]) =>
    draft.changes.some((change) => change === field),
  )
  return { tag, ...Object.fromEntries(changed) }
}
