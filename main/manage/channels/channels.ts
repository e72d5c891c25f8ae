import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Reason } from '../../base/reason.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { ChannelFields } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { flag, recordId } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { type ChannelInput, channelFields } from './channel-fields.ts'
import { keyFields, multiKeyMode, severalKeys } from './channel-key-edit.ts'
import { type ChannelRecord, channelRecord, toFullRecord } from './channel-record.ts'
import { checkChannel, statusFields, toChannelFields } from './channel-write.ts'
import { existingChannel } from './existing-channel.ts'
import { forgetChanged } from './maintenance/forget-health.ts'
import { checkReach } from './save/check-reach.ts'
import { saveChannels } from './save/save-channels.ts'
import { requireReadableKey } from './save/unreadable-key.ts'

const KEY_PREFIX_LENGTH = 8

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

const get = defineOperation({
  name: 'channel.get',
  summary: 'Shows a channel without its key.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/:id' },
  input: z.object({ id: recordId }),
  output: channelRecord,
  run: ({ id }, { parts }) => toFullRecord(existingChannel(id, parts), parts),
})

const createInput = z.strictObject({
  mode: z
    .string()
    .optional()
    .describe(
      '`single`, `batch` (one channel for every line of the key), or `multi_to_single` (one channel with all of them).',
    ),
  channel: z.strictObject({ ...channelFields, id: z.unknown().optional() }).optional(),
  multi_key_mode: multiKeyMode,
  batch_add_set_key_prefix_2_name: flag.optional(),
  // A bare record without `mode` is taken as `single`.
  ...channelFields,
})

type CreateInput = z.output<typeof createInput>

function newChannel(input: ChannelInput, parts: GatewayParts): ChannelFields {
  if (input.type === undefined)
    throw refuse('type', 'The field "type" is missing. Choose a channel type.', {
      code: 'field_missing',
    })
  if (input.status === 3)
    throw refuse('status', 'Status must be 1 (enabled) or 2 (disabled).', {
      code: 'field_one_of',
      values: '1, 2',
    })
  return {
    ...toChannelFields(input, parts),
    type: input.type,
    key: input.key ?? '',
    name: input.name ?? '',
    status: input.status ?? 1,
  }
}

/** One channel for each key, or one for all. */
function split(
  channel: ChannelFields,
  input: Pick<CreateInput, 'mode' | 'multi_key_mode' | 'batch_add_set_key_prefix_2_name'>,
): ChannelFields[] {
  const { mode = 'single', batch_add_set_key_prefix_2_name: hasKeyInName } = input
  if (mode === 'single') return [channel]
  if (mode !== 'batch' && mode !== 'multi_to_single') {
    throw refuse('mode', `The mode "${mode}" is unknown: use single, batch or multi_to_single.`, {
      code: 'field_one_of',
      values: 'single, batch, multi_to_single',
    })
  }
  const { key: text = '' } = channel
  const keys = keyLines(text)
  if (keys.length === 0) throw refuse('key', 'Enter the keys, one a line.', { code: 'field_empty' })
  if (mode === 'multi_to_single')
    return [{ ...channel, ...severalKeys(text, input.multi_key_mode) }]
  return keys.map((key) => ({
    ...channel,
    key,
    name: hasKeyInName ? `${channel.name} ${key.slice(0, KEY_PREFIX_LENGTH)}` : channel.name,
  }))
}

const create = defineOperation({
  name: 'channel.create',
  summary:
    'Adds a channel, or one for each key; a record without `mode` is a single one. Only the owner may enter an address or proxy on this machine or a private network.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel' },
  input: createInput,
  output: z.strictObject({ ids: z.array(z.int()) }),
  run(input, context): { ids: number[] } {
    const { parts } = context
    const { channel } = input
    if (channel === undefined && input.mode !== undefined) {
      throw refuse('channel', 'The field "channel" is missing.', { code: 'field_missing' })
    }
    const list = split(newChannel(channel ?? input, parts), input)
    for (const one of list) {
      checkChannel(one)
      checkReach(one, context)
    }
    const publicOnly = signedIn(context).role < 100
    const created = parts.channels.createMany(list.map((one) => ({ ...one, publicOnly })))
    return { ids: created.map(({ id }) => id) }
  },
})

const update = defineOperation({
  name: 'channel.update',
  summary:
    'Changes the fields of a channel that are sent; all others stay as they are. What leads the key elsewhere (another address, proxy or header override) needs the key again in `key`, or a verified session of the owner, and is logged.',
  access: 'admin',
  http: { method: 'PUT', path: '/api/channel' },
  input: z.strictObject({
    ...channelFields,
    id: recordId,
    key_mode: z
      .enum(['append', 'replace', ''], 'must be "append" or "replace"')
      .optional()
      .describe('Whether the keys that are sent come after those that are there, or replace them.'),
    multi_key_mode: multiKeyMode,
  }),
  output: channelRecord,
  run(input, context): ChannelRecord {
    const { parts } = context
    const channel = existingChannel(input.id, parts)
    const fields = { ...toChannelFields(input, parts, channel), ...keyFields(channel, input) }
    const changed = { ...channel, ...fields }
    // The status as it was read is no wish, also where the new keys enable the channel.
    const wished = input.status === channel.status ? undefined : input.status
    const status = statusFields(changed, wished, signedIn(context).username)
    // A channel that is wrong can at least be disabled.
    if (Object.keys(fields).length > 0) checkChannel(changed)
    const entered = {
      key: Boolean(input.key) && input.key_mode !== 'append',
      headers: input.header_override,
      isForMany: false,
    }
    saveChannels([{ before: channel, fields: { ...fields, ...status } }], entered, context)
    forgetChanged([channel], parts)
    return toFullRecord(existingChannel(channel.id, parts), parts)
  },
})

const remove = defineOperation({
  name: 'channel.delete',
  summary: 'Deletes a channel; its calls stay in the log.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/channel/:id' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  run({ id }, { parts }): undefined {
    const channel = existingChannel(id, parts)
    parts.channels.remove([id])
    forgetChanged([channel], parts)
  },
})

const setStatus = defineOperation({
  name: 'channel.status',
  summary: 'Enables or disables a channel.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/:id/status' },
  input: z.strictObject({
    id: recordId,
    status: z.literal([1, 2], fieldProblems.field_status),
  }),
  output: channelRecord,
  run({ id, status }, context): ChannelRecord {
    const { parts } = context
    const channel = existingChannel(id, parts)
    const fields = statusFields(channel, status, signedIn(context).username)
    const updated = parts.channels.update(id, fields)
    forgetChanged([channel], parts)
    return toFullRecord(updated, parts)
  },
})

const copy = defineOperation({
  name: 'channel.copy',
  summary: 'Makes another channel like one that exists, with its key.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/copy/:id' },
  input: z.strictObject({
    id: recordId,
    suffix: z
      .string()
      .max(50)
      .regex(/^\P{Cc}*$/u, fieldProblems.field_one_line)
      .optional(),
    reset_balance: flag.optional(),
  }),
  output: z.strictObject({ id: z.int() }),
  run({ id, suffix = '_copy', reset_balance: isReset = true }, { parts }): { id: number } {
    const channel = existingChannel(id, parts)
    requireReadableKey(channel, { remedy: 'Enter it again, then copy.' })
    const { id: _id, createdTime: _time, keyUnreadable: _none, isLocked: _not, ...fields } = channel
    const balance = isReset ? { balance: 0, balanceUpdatedTime: 0 } : {}
    const name = `${fields.name}${suffix}`
    const untested = { testTime: 0, responseTime: 0, lastTest: null }
    return { id: parts.channels.create({ ...fields, ...balance, ...untested, name }).id }
  },
})

export const channelOperations = [get, create, update, remove, setStatus, copy] as const
