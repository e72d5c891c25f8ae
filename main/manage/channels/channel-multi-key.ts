import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { integer, pagingFields, recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { pageOf, readPaging } from '../operation/page.ts'
import { whyOutput } from '../operation/sentence.ts'
import { signedIn } from '../operation/signed-in.ts'
import { keyChange, keyStatesOf } from './channel-key-states.ts'
import { previewOf } from './channel-record.ts'
import { existingChannel } from './existing-channel.ts'
import { forgetChanged } from './maintenance/forget-health.ts'
import { requireReadableKey } from './save/unreadable-key.ts'

const ACTIONS = [
  'get_key_status',
  'enable_key',
  'disable_key',
  'delete_key',
  'enable_all_keys',
  'disable_all_keys',
  'delete_disabled_keys',
] as const

const keyPage = z.strictObject({
  keys: z.array(
    z.strictObject({
      index: z.int().describe('From 0; a key that is deleted moves those behind it.'),
      status: z.literal([1, 2, 3]).describe('1 enabled, 2 disabled by hand, 3 by the gateway.'),
      key_preview: z.string(),
      disabled_time: z.int().optional().describe('Unix seconds.'),
      reason: z.string().optional(),
      why: whyOutput.optional(),
    }),
  ),
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
  enabled_count: z.int(),
  manual_disabled_count: z.int(),
  auto_disabled_count: z.int(),
})

const input = z.strictObject({
  channel_id: recordId,
  action: z.enum(ACTIONS),
  key_index: integer.nullable().optional().describe('Which key, from 0; of the acts on one key.'),
  key_preview: z
    .string()
    .max(200)
    .optional()
    .describe('What key_index shows as its key: refuses when another key stands there by now.'),
  page: pagingFields.p,
  page_size: pagingFields.page_size,
  status: z.literal([1, 2, 3]).nullable().optional().describe('Lists only keys of this status.'),
})

type Input = z.output<typeof input>

/** A channel's keys with their states, to be changed. */
interface Keys {
  keys: string[]
  states: Channel['keyStates']
}

function keysOf(channel: Channel): Keys {
  if (channel.multiKeyMode === null) {
    throw new GatewayError('conflict', {
      message: `The channel "${channel.name}" has one key. Append another one to it first.`,
      field: 'channel_id',
      reason: { code: 'channel_has_one_key', channel: channel.name },
    })
  }
  requireReadableKey(channel, { remedy: 'Enter all of its keys again.', field: 'channel_id' })
  return { keys: keyLines(channel.key), states: keyStatesOf(channel) }
}

function list(channel: Channel, { page, page_size, status }: Input): z.output<typeof keyPage> {
  const { keys, states } = keysOf(channel)
  const rows = states.map((state, index) => ({
    index,
    status: state.status,
    key_preview: previewOf(keys[index] ?? ''),
    ...(state.status === 1
      ? {}
      : { disabled_time: state.time, reason: state.reason, why: state.why }),
  }))
  const wanted = status ? rows.filter((row) => row.status === status) : rows
  const { items, ...shown } = pageOf(wanted, readPaging({ p: page, page_size }, 50), (row) => row)
  const count = (wantedStatus: number) =>
    states.filter((state) => state.status === wantedStatus).length
  return {
    ...shown,
    keys: items,
    total_pages: Math.ceil(shown.total / shown.page_size),
    enabled_count: count(1),
    manual_disabled_count: count(2),
    auto_disabled_count: count(3),
  }
}

function namedIndex({ key_index: index, key_preview: preview }: Input, { keys }: Keys): number {
  const key = typeof index === 'number' ? keys[index] : undefined
  if (typeof preview === 'string' && typeof index === 'number') {
    if (key !== undefined && previewOf(key) === preview) return index
    throw new GatewayError('conflict', {
      message: 'The keys of this channel were changed meanwhile. Look at them again, then choose.',
      field: 'key_preview',
      reason: { code: 'keys_changed_meanwhile' },
    })
  }
  if (typeof index === 'number' && key !== undefined) return index
  throw new GatewayError('invalid_params', {
    message:
      typeof index === 'number'
        ? `There is no key ${index}: the channel's keys are 0 to ${keys.length - 1}.`
        : 'The field "key_index" is missing. Give the number of the key, from 0.',
    field: 'key_index',
    reason: { code: 'no_such_key', count: keys.length },
  })
}

/** Leaves the keys for which `stays` is true, each with its own state. */
function keep({ keys, states }: Keys, stays: (index: number) => boolean): Keys {
  const left = {
    keys: keys.filter((_, index) => stays(index)),
    states: states.filter((_, index) => stays(index)),
  }
  if (left.keys.length > 0) return left
  throw new GatewayError('conflict', {
    message: 'A channel needs at least one key. Add another one first, or delete the channel.',
    field: 'action',
    reason: { code: 'channel_needs_key' },
  })
}

/** The keys after an action. */
function changed(keys: Keys, asked: Input, username: string): Keys {
  const { action } = asked
  const enabled = { status: 1, reason: '', time: 0 } as const
  const disabled = {
    status: 2,
    reason: `Disabled by ${username}`,
    why: { code: 'disabled_by', user: username },
    time: unixSeconds(),
  } as const
  const withState = (state: Keys['states'][number], applies: (index: number) => boolean): Keys => ({
    ...keys,
    states: keys.states.map((before, index) =>
      applies(index) && before.status !== state.status ? state : before,
    ),
  })
  if (action === 'enable_all_keys') return withState(enabled, () => true)
  if (action === 'disable_all_keys')
    return withState(disabled, (at) => keys.states[at]?.status === 1)
  if (action === 'delete_disabled_keys') return keep(keys, (at) => keys.states[at]?.status !== 3)
  const index = namedIndex(asked, keys)
  if (action === 'enable_key') return withState(enabled, (at) => at === index)
  if (action === 'disable_key') return withState(disabled, (at) => at === index)
  return keep(keys, (at) => at !== index)
}

/** How many keys are gone or have another state. */
function countChanges(before: Keys, after: Keys): number {
  const gone = before.keys.length - after.keys.length
  return gone || after.states.filter((state, index) => state !== before.states[index]).length
}

function act(channel: Channel, asked: Input, username: string, parts: GatewayParts): number {
  const before = keysOf(channel)
  const after = changed(before, asked, username)
  const count = countChanges(before, after)
  if (count > 0) {
    parts.channels.update(channel.id, keyChange(channel, after.keys, after.states))
    forgetChanged([channel], parts)
  }
  return count
}

const manage = defineOperation({
  name: 'channel.multi-key',
  summary:
    'Lists the keys of a channel that has several, or enables, disables or deletes some; gives how many changed.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/multi_key/manage' },
  input,
  output: z.union([keyPage, z.int()]),
  run(asked, context): z.output<typeof keyPage> | number {
    const channel = existingChannel(asked.channel_id, context.parts)
    if (asked.action === 'get_key_status') return list(channel, asked)
    return act(channel, asked, signedIn(context).username, context.parts)
  },
})

export const channelMultiKeyOperations = [manage] as const
