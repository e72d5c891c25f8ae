import type { EndpointType } from '../adaptor/adaptor.ts'
import { adaptorOf } from '../adaptor/adaptors.ts'
import type { Channel } from '../store/channels.ts'
import type { GatewayParts } from './gateway-parts.ts'

/** A channel as it is read (management-api §5.1): its key is never in it. */
export interface ChannelRecord {
  id: number
  type: number
  key: ''
  /** First three and last four characters of the first key. */
  key_preview: string
  key_count: number
  /** The stored key cannot be opened any more and must be entered again. */
  key_unreadable: boolean
  openai_organization: string | null
  test_model: string | null
  status: 1 | 2 | 3
  name: string
  weight: number
  priority: number
  created_time: number
  test_time: number
  /** Milliseconds of the last test. */
  response_time: number
  base_url: string
  other: string
  balance: number
  balance_updated_time: number
  /** Separated by commas, as is `group`. */
  models: string
  group: string
  used_quota: number
  model_mapping: string | null
  status_code_mapping: string
  auto_ban: 0 | 1
  other_info: string
  tag: string | null
  setting: string | null
  param_override: string | null
  header_override: string | null
  remark: string | null
  channel_info: { is_multi_key: boolean; multi_key_size: number; multi_key_mode: 'random' }
  settings: string
  preset: string | null
  /** What the upstream is taken to speak: the channel's own list, or its type's. */
  endpoint_types: EndpointType[]
}

const keysOf = (key: string): string[] =>
  key
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Tells keys apart without giving away what is short enough to be guessed. */
const previewOf = (key: string): string =>
  key === '' ? '' : key.length < 16 ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`

const textOf = (value: object): string | null =>
  Object.keys(value).length === 0 ? null : JSON.stringify(value)

export function toChannelRecord(channel: Channel, parts: GatewayParts): ChannelRecord {
  const keys = keysOf(channel.key)
  return {
    id: channel.id,
    type: channel.type,
    key: '',
    key_preview: previewOf(keys[0] ?? ''),
    key_count: keys.length,
    key_unreadable: channel.keyUnreadable,
    openai_organization: channel.openaiOrganization,
    test_model: channel.testModel,
    status: channel.status,
    name: channel.name,
    weight: channel.weight,
    priority: channel.priority,
    created_time: channel.createdTime,
    test_time: channel.testTime,
    response_time: channel.responseTime,
    base_url: channel.baseUrl,
    other: channel.other,
    balance: channel.balance,
    balance_updated_time: channel.balanceUpdatedTime,
    models: channel.models.join(','),
    group: channel.groups.join(','),
    used_quota: parts.ledger.totals('channel', channel.id).quota,
    model_mapping: textOf(channel.modelMapping),
    status_code_mapping: textOf(channel.statusCodeMapping) ?? '',
    auto_ban: channel.autoBan,
    other_info: channel.otherInfo,
    tag: channel.tag,
    setting: textOf(channel.setting),
    param_override: textOf(channel.paramOverride),
    header_override: textOf(channel.headerOverride),
    remark: channel.remark,
    channel_info: { is_multi_key: false, multi_key_size: 0, multi_key_mode: 'random' },
    settings: textOf(channel.settings) ?? '',
    preset: channel.preset,
    endpoint_types: [...(adaptorOf(channel.type)?.endpointTypes(channel) ?? [])],
  }
}
