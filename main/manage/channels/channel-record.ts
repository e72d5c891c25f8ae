import { z } from 'zod'
import { ENDPOINT_TYPES } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { whyOutput } from '../operation/sentence.ts'
import { keyStatesOf } from './channel-key-states.ts'
import { shownSetting } from './channel-proxy.ts'
import { shownHeaders } from './secret-headers.ts'

const unixTime = z.int().describe('Unix seconds; 0 = never.')
const jsonText = z.string().describe('A JSON object as text.')

/** By the index of a key, from 0; keys that are enabled are not in it. */
const byKey = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value).optional()

const channelInfo = z
  .strictObject({
    is_multi_key: z.boolean(),
    multi_key_size: z.int(),
    multi_key_mode: z.enum(['random', 'polling']),
    multi_key_polling_index: z.int().describe('The key whose turn is next.'),
    multi_key_status_list: byKey(z.int()),
    multi_key_disabled_reason: byKey(z.string()),
    multi_key_disabled_time: byKey(z.int()),
  })
  .describe(
    'Of a channel with several keys; the three maps, by index of key, are left out in lists.',
  )

/** A channel as it is read (management-api §5.1): its key is never in it. */
export const channelRecord = z
  .strictObject({
    id: z.int(),
    type: z.int(),
    key: z.literal('').describe('Never shown.'),
    key_preview: z.string().describe('First three and last four characters of the first key.'),
    key_count: z.int(),
    key_unreadable: z
      .boolean()
      .describe('The stored key cannot be opened any more and must be entered again.'),
    key_locked: z
      .boolean()
      .describe('What is stored cannot be opened while the keychain is locked; see /api/keychain.'),
    openai_organization: z.string().nullable(),
    test_model: z.string().nullable(),
    status: z
      .literal([1, 2, 3])
      .describe('1 enabled, 2 disabled by hand, 3 disabled by the gateway.'),
    name: z.string(),
    weight: z.int(),
    priority: z.int().describe('Higher first.'),
    created_time: unixTime,
    test_time: unixTime,
    response_time: z.number().describe('Milliseconds of the last test.'),
    last_test: z
      .strictObject({
        model: z.string(),
        problem: z.string().nullable().describe('Why it did not pass; null where it passed.'),
        why: whyOutput.optional(),
      })
      .nullable()
      .describe('Result of the last test; null where none was made, or its result is not known.'),
    base_url: z.string().describe('Empty for the address of the type.'),
    other: z.string(),
    balance: z.number().describe('US dollars at the vendor.'),
    balance_updated_time: unixTime,
    models: z.string().describe('Separated by commas.'),
    group: z.string().describe('Separated by commas.'),
    used_quota: z.int().describe('Quota units.'),
    model_mapping: jsonText.nullable(),
    status_code_mapping: jsonText,
    auto_ban: z.literal([0, 1]),
    other_info: jsonText.describe(
      '`status_reason`, `status_why` (the same by code) and `status_time` of the last change of status.',
    ),
    tag: z.string().nullable(),
    setting: jsonText.nullable(),
    param_override: jsonText.nullable(),
    header_override: jsonText
      .nullable()
      .describe('Secret values are hidden as `***`; sent back so, they stay as they are.'),
    remark: z.string().nullable(),
    channel_info: channelInfo,
    settings: jsonText,
    preset: z.string().nullable(),
    endpoint_types: z
      .array(z.enum(ENDPOINT_TYPES))
      .describe("What the upstream is taken to speak: the channel's own list, or its type's."),
  })
  .meta({ id: 'Channel' })

/** The same as a type. */
export type ChannelRecord = z.infer<typeof channelRecord>

/** Tells keys apart without giving away what is short enough to be guessed. */
export const previewOf = (key: string): string =>
  key === '' ? '' : key.length < 16 ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`

const textOf = (value: object): string | null =>
  Object.keys(value).length === 0 ? null : JSON.stringify(value)

function infoOf(
  channel: Channel,
  size: number,
  parts: GatewayParts,
): ChannelRecord['channel_info'] {
  const { multiKeyMode } = channel
  return {
    is_multi_key: multiKeyMode !== null,
    multi_key_size: multiKeyMode === null ? 0 : size,
    multi_key_mode: multiKeyMode ?? 'random',
    multi_key_polling_index: multiKeyMode === null ? 0 : parts.keyTurns.next(channel),
  }
}

function keyMaps(channel: Channel) {
  const disabled = keyStatesOf(channel).flatMap((state, index) =>
    state.status === 1 ? [] : [{ ...state, index: String(index) }],
  )
  return {
    multi_key_status_list: Object.fromEntries(disabled.map((one) => [one.index, one.status])),
    multi_key_disabled_reason: Object.fromEntries(disabled.map((one) => [one.index, one.reason])),
    multi_key_disabled_time: Object.fromEntries(disabled.map((one) => [one.index, one.time])),
  }
}

/** A channel as lists show it. */
export function toChannelRecord(channel: Channel, parts: GatewayParts): ChannelRecord {
  const keys = keyLines(channel.key)
  return {
    id: channel.id,
    type: channel.type,
    key: '',
    key_preview: previewOf(keys[0] ?? ''),
    key_count: keys.length,
    key_unreadable: channel.keyUnreadable && !channel.isLocked,
    key_locked: channel.isLocked,
    openai_organization: channel.openaiOrganization,
    test_model: channel.testModel,
    status: channel.status,
    name: channel.name,
    weight: channel.weight,
    priority: channel.priority,
    created_time: channel.createdTime,
    test_time: channel.testTime,
    response_time: channel.responseTime,
    last_test: channel.lastTest,
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
    setting: textOf(shownSetting(channel.setting)),
    param_override: textOf(channel.paramOverride),
    header_override: textOf(shownHeaders(channel.headerOverride)),
    remark: channel.remark,
    channel_info: infoOf(channel, keys.length, parts),
    settings: textOf(channel.settings) ?? '',
    preset: channel.preset,
    endpoint_types: [...(adaptorOf(channel.type)?.endpointTypes(channel) ?? [])],
  }
}

/** A channel as it is shown by itself: with the states of its keys, where it has several. */
export function toFullRecord(channel: Channel, parts: GatewayParts): ChannelRecord {
  const record = toChannelRecord(channel, parts)
  if (channel.multiKeyMode === null) return record
  return { ...record, channel_info: { ...record.channel_info, ...keyMaps(channel) } }
}
