import type { OperationInput } from '../../../../preload/contract.ts'
import { changedFields } from '../../../components/forms/changed-fields.ts'
import { readObject } from '../../../components/forms/read-object.ts'
import type { ChannelPreset, ChannelRecord } from '../../../gateway/records.ts'

/** A channel as the form edits it: lists as lists, the mapping as rows, overrides as typed text. */
export interface ChannelDraft {
  preset: string | null
  type: number
  name: string
  /** Write-only, one key per line; empty keeps the stored ones. */
  /** One a line. */
  key: string
  /** Whether typed keys replace the stored ones or join them. */
  keyMode: 'replace' | 'append'
  /** Whether several keys make one new channel or one each. */
  createMode: 'multi_to_single' | 'batch'
  /** Key rotation of a multi-key channel. */
  rotation: 'random' | 'polling'
  /** With one channel per key: put the key's prefix into its name. */
  keyInName: boolean
  baseUrl: string
  models: string[]
  groups: string[]
  tag: string
  /** The gateway may disable the channel. */
  autoBan: boolean
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
  /** A stored password is masked. */
  proxy: string
  /** Turns cache marks of requests into caches at Google. */
  explicitCaching: boolean
  /** Leaves Claude Code's billing header out; null for the default, by the host. */
  stripBilling: boolean | null
  /** Seconds, or the text being typed; empty for the gateway's default. */
  limits: Record<TimeLimit, number | string>
}

/** Timeouts of a channel, by their names in `settings`. */
export const timeLimits = [
  'connect_seconds',
  'first_byte_seconds',
  'idle_seconds',
  'total_seconds',
] as const
export type TimeLimit = (typeof timeLimits)[number]

/** Gemini, the only type with explicit caching. */
export const geminiType = 24

/** Anthropic, and hosts that speak its format. */
export const anthropicType = 14

/** Is the billing header left out, by the draft or by its default? Only Anthropic itself reads it. */
export const stripsBilling = ({ stripBilling, type, baseUrl }: ChannelDraft): boolean =>
  stripBilling ??
  !(baseUrl.trim() === ''
    ? type === anthropicType
    : /^https?:\/\/api\.anthropic\.com(?:[/:]|$)/i.test(baseUrl.trim()))

function readStripBilling(settings: string | null | undefined): boolean | null {
  const { strip_billing_header: value } = readObject(settings)
  return typeof value === 'boolean' ? value : null
}

/** Echo has neither key nor address. */
export const echoType = 900

export interface MappingRow {
  from: string
  to: string
}

type ChannelFields = OperationInput<'channel.update'>

const freshKeys = {
  key: '',
  keyMode: 'replace',
  createMode: 'multi_to_single',
  rotation: 'random',
  keyInName: false,
} as const satisfies Partial<ChannelDraft>

const noLimits: ChannelDraft['limits'] = {
  connect_seconds: '',
  first_byte_seconds: '',
  idle_seconds: '',
  total_seconds: '',
}

export function draftOfPreset(preset: ChannelPreset): ChannelDraft {
  return {
    preset: preset.id,
    type: preset.type,
    name: preset.type === echoType ? 'Echo' : preset.name,
    ...freshKeys,
    baseUrl: preset.base_url,
    models: [...preset.models],
    groups: ['default'],
    tag: '',
    autoBan: true,
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
    proxy: '',
    explicitCaching: false,
    stripBilling: null,
    limits: noLimits,
  }
}

export function draftOfChannel(channel: ChannelRecord): ChannelDraft {
  return {
    preset: channel.preset,
    type: channel.type,
    name: channel.name,
    ...freshKeys,
    rotation: channel.channel_info.multi_key_mode ?? 'random',
    baseUrl: channel.base_url ?? '',
    models: splitList(channel.models),
    groups: splitList(channel.group),
    tag: channel.tag ?? '',
    autoBan: channel.auto_ban !== 0,
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
    proxy: readProxy(channel.setting),
    explicitCaching: readObject(channel.settings).explicit_caching === true,
    stripBilling: readStripBilling(channel.settings),
    limits: readLimits(channel.settings),
  }
}

/** `stored` carries the settings that the form doesn't show. */
export function fieldsOfDraft(
  draft: ChannelDraft,
  stored?: ChannelRecord,
): Omit<ChannelFields, 'id'> {
  const mapping = mappingOfRows(draft.mapping)
  const settings = readObject(stored?.settings)
  if (draft.endpointTypes.length > 0) settings.endpoint_types = draft.endpointTypes
  else delete settings.endpoint_types
  if (draft.explicitCaching) settings.explicit_caching = true
  else delete settings.explicit_caching
  if (draft.stripBilling === null) delete settings.strip_billing_header
  else settings.strip_billing_header = draft.stripBilling
  for (const limit of timeLimits) {
    const seconds = draft.limits[limit]
    if (seconds === '') delete settings[limit]
    else settings[limit] = Number(seconds)
  }
  const setting = readObject(stored?.setting)
  if (draft.proxy.trim() !== '') setting.proxy = draft.proxy.trim()
  else delete setting.proxy
  return {
    preset: draft.preset,
    type: draft.type,
    name: draft.name.trim(),
    ...(draft.key.trim() === '' ? {} : { key: draft.key.trim() }),
    base_url: draft.baseUrl.trim(),
    models: draft.models.join(','),
    group: draft.groups.join(','),
    tag: draft.tag.trim() || null,
    auto_ban: draft.autoBan ? 1 : 0,
    priority: draft.priority,
    weight: draft.weight,
    model_mapping: Object.keys(mapping).length > 0 ? JSON.stringify(mapping) : '',
    test_model: draft.testModel.trim() || null,
    openai_organization: draft.organization.trim() || null,
    other: draft.other.trim(),
    param_override: draft.paramOverride.trim() || null,
    header_override: draft.headerOverride.trim() || null,
    status_code_mapping: draft.statusMapping.trim() || null,
    settings: Object.keys(settings).length > 0 ? JSON.stringify(settings) : '',
    setting: Object.keys(setting).length > 0 ? JSON.stringify(setting) : '',
    remark: draft.remark.trim() || null,
  }
}

/**
 * Only the fields that differ from `read`, the record that the draft was made of. Settings that the form
 * doesn't show come from `now`.
 */
export function changesOfDraft(
  draft: ChannelDraft,
  read: ChannelRecord,
  now: ChannelRecord,
): Omit<ChannelFields, 'id'> {
  const before = draftOfChannel(read)
  const changes = changedFields(fieldsOfDraft(draft, read), fieldsOfDraft(before, read))
  return {
    ...changes,
    ...(changes.settings !== undefined && { settings: fieldsOfDraft(draft, now).settings }),
    ...(changes.setting !== undefined && { setting: fieldsOfDraft(draft, now).setting }),
    ...keyFieldsOfDraft(draft, read),
  }
}

/** Whether the stored key would go to another address, or through another proxy. */
export function isAddressChanged(draft: ChannelDraft, read: ChannelRecord): boolean {
  if (!read.key_preview && !read.key_unreadable && !read.key_locked) return false
  const before = draftOfChannel(read)
  return (['baseUrl', 'proxy', 'headerOverride'] as const).some(
    (field) => draft[field].trim() !== before[field].trim(),
  )
}

/** How a new channel is made of several keys. */
export function modeOfDraft(
  draft: ChannelDraft,
): Omit<OperationInput<'channel.create'>, 'channel'> & { mode: string } {
  if (keyLines(draft.key).length < 2) return { mode: 'single' }
  return draft.createMode === 'batch'
    ? { mode: 'batch', batch_add_set_key_prefix_2_name: draft.keyInName }
    : { mode: 'multi_to_single', multi_key_mode: draft.rotation }
}

/** Changes to the keys of a stored channel. */
function keyFieldsOfDraft(
  draft: ChannelDraft,
  stored: ChannelRecord,
): Pick<ChannelFields, 'key_mode' | 'multi_key_mode'> {
  const hasNewKeys = keyLines(draft.key).length > 0
  const isDrawnOtherwise = draft.rotation !== draftOfChannel(stored).rotation
  return {
    ...(hasNewKeys ? { key_mode: draft.keyMode } : {}),
    ...(hasSeveralKeys(draft, stored) && (hasNewKeys || isDrawnOtherwise)
      ? { multi_key_mode: draft.rotation }
      : {}),
  }
}

export function hasSeveralKeys(draft: ChannelDraft, stored: ChannelRecord | undefined): boolean {
  const count = keyLines(draft.key).length
  if (!stored) return count > 1 && draft.createMode === 'multi_to_single'
  const isMultiKey = stored.channel_info.is_multi_key === true
  return isMultiKey || count > 1 || (count > 0 && draft.keyMode === 'append')
}

export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Only rows with both sides filled in. */
export function mappingOfRows(rows: readonly MappingRow[]): Record<string, string> {
  const filled = rows.filter((row) => row.from.trim() && row.to.trim())
  return Object.fromEntries(filled.map((row) => [row.from.trim(), row.to.trim()]))
}

/** "a, b" as ['a', 'b']. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function readEndpointTypes(settings: string): string[] {
  const types = readObject(settings).endpoint_types
  return Array.isArray(types) ? types.map(String) : []
}

function readProxy(setting: string | null): string {
  const { proxy } = readObject(setting)
  return typeof proxy === 'string' ? proxy : ''
}

function readLimits(settings: string): ChannelDraft['limits'] {
  const stored = readObject(settings)
  const limits = { ...noLimits }
  for (const limit of timeLimits) {
    const seconds = stored[limit]
    if (typeof seconds === 'number') limits[limit] = seconds
  }
  return limits
}

function prettyObject(text: string | null | undefined): string {
  if (!text) return ''
  const value = readObject(text)
  return Object.keys(value).length > 0 ? JSON.stringify(value, null, 2) : text
}
