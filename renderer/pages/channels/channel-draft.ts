import type { OperationInput } from '../../../preload/contract.ts'
import type { ChannelPreset, ChannelRecord } from '../../gateway/records.ts'

/** The form's own copy of a channel: lists as lists, mapping as rows, overrides as the text typed. */
export interface ChannelDraft {
  preset: string | null
  type: number
  name: string
  /** Write-only; empty keeps the stored one. */
  key: string
  baseUrl: string
  models: string[]
  groups: string[]
  priority: number
  weight: number
  mapping: MappingRow[]
  testModel: string
  endpointTypes: string[]
  organization: string
  other: string
  paramOverride: string
  headerOverride: string
  statusMapping: string
  remark: string
}

/** Answers inside the gateway: it has neither key nor address. */
export const echoType = 900

export interface MappingRow {
  from: string
  to: string
}

type ChannelFields = OperationInput<'channel.update'>

/** The draft of a new channel at a vendor. */
export function draftOfPreset(preset: ChannelPreset): ChannelDraft {
  return {
    preset: preset.id,
    type: preset.type,
    name: preset.type === echoType ? 'Echo' : preset.name,
    key: '',
    baseUrl: preset.base_url,
    models: [...preset.models],
    groups: ['default'],
    priority: 0,
    weight: 0,
    mapping: [],
    testModel: '',
    endpointTypes: [],
    organization: '',
    other: '',
    paramOverride: '',
    headerOverride: '',
    statusMapping: '',
    remark: '',
  }
}

/** The draft of a stored channel. */
export function draftOfChannel(channel: ChannelRecord): ChannelDraft {
  return {
    preset: channel.preset,
    type: channel.type,
    name: channel.name,
    key: '',
    baseUrl: channel.base_url ?? '',
    models: splitList(channel.models),
    groups: splitList(channel.group),
    priority: channel.priority ?? 0,
    weight: channel.weight ?? 0,
    mapping: Object.entries(readObject(channel.model_mapping)).map(([from, to]) => ({
      from,
      to: String(to),
    })),
    testModel: channel.test_model ?? '',
    endpointTypes: readEndpointTypes(channel.settings),
    organization: channel.openai_organization ?? '',
    other: channel.other ?? '',
    paramOverride: prettyObject(channel.param_override),
    headerOverride: prettyObject(channel.header_override),
    statusMapping: prettyObject(channel.status_code_mapping),
    remark: channel.remark ?? '',
  }
}

/** The draft as fields of the wire; `stored` keeps the settings that the form does not show. */
export function fieldsOfDraft(
  draft: ChannelDraft,
  stored?: ChannelRecord,
): Omit<ChannelFields, 'id'> {
  const rows = draft.mapping.filter((row) => row.from.trim() && row.to.trim())
  const mapping = Object.fromEntries(rows.map((row) => [row.from.trim(), row.to.trim()]))
  const settings = readObject(stored?.settings)
  if (draft.endpointTypes.length > 0) settings.endpoint_types = draft.endpointTypes
  else delete settings.endpoint_types
  return {
    preset: draft.preset,
    type: draft.type,
    name: draft.name.trim(),
    ...(draft.key.trim() === '' ? {} : { key: draft.key.trim() }),
    base_url: draft.baseUrl.trim(),
    models: draft.models.join(','),
    group: draft.groups.join(','),
    priority: draft.priority,
    weight: draft.weight,
    model_mapping: rows.length > 0 ? JSON.stringify(mapping) : '',
    test_model: draft.testModel.trim() || null,
    openai_organization: draft.organization.trim() || null,
    other: draft.other.trim(),
    param_override: draft.paramOverride.trim() || null,
    header_override: draft.headerOverride.trim() || null,
    status_code_mapping: draft.statusMapping.trim() || null,
    settings: Object.keys(settings).length > 0 ? JSON.stringify(settings) : '',
    remark: draft.remark.trim() || null,
  }
}

/** "a, b" as ['a', 'b']. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readObject(text: string | null | undefined): Record<string, unknown> {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}

function readEndpointTypes(settings: string): string[] {
  const types = readObject(settings).endpoint_types
  return Array.isArray(types) ? types.map(String) : []
}

function prettyObject(text: string | null | undefined): string {
  if (!text) return ''
  const value = readObject(text)
  return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : text
}
