import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import type { Channel, ChannelFields } from '../store/channels.ts'
import { type ChannelInput, channelFields } from './channel-fields.ts'
import { type ChannelRecord, toChannelRecord } from './channel-record.ts'
import { checkChannel, statusChange, toChannelFields } from './channel-write.ts'
import { existingChannel } from './existing-channel.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { flag, recordId } from './input-fields.ts'
import { defineOperation } from './operation.ts'
import { signedIn } from './signed-in.ts'

const KEY_PREFIX_LENGTH = 8

const refuse = (field: string, message: string): GatewayError =>
  new GatewayError('invalid_params', { message, field })

const get = defineOperation({
  name: 'channel.get',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/:id' },
  input: z.object({ id: recordId }),
  run: ({ id }, { parts }) => toChannelRecord(existingChannel(id, parts), parts),
})

const createInput = z.strictObject({
  /** `single` or `batch`: one channel for every line of the key. */
  mode: z.string().optional(),
  channel: z.strictObject({ ...channelFields, id: z.unknown().optional() }).optional(),
  multi_key_mode: z.unknown().optional(),
  batch_add_set_key_prefix_2_name: flag.optional(),
  // A bare record without `mode` is taken as `single`.
  ...channelFields,
})

function newChannel(input: ChannelInput, parts: GatewayParts): ChannelFields {
  if (input.type === undefined) throw refuse('type', 'Say which type of channel it is.')
  if (input.status === 3) throw refuse('status', 'Status must be 1 (enabled) or 2 (disabled).')
  return {
    ...toChannelFields(input, parts),
    type: input.type,
    name: input.name ?? '',
    status: input.status ?? 1,
  }
}

/** One channel for each key, or one for all. */
function split(
  channel: ChannelFields,
  mode: string,
  hasKeyInName: boolean | undefined,
): ChannelFields[] {
  if (mode === 'single') return [channel]
  if (mode === 'multi_to_single') {
    throw refuse('mode', 'Several keys in one channel come in a later version: use "batch".')
  }
  if (mode !== 'batch') throw refuse('mode', `The mode "${mode}" is unknown: use single or batch.`)
  const keys = (channel.key ?? '').split('\n').filter((key) => key !== '')
  if (keys.length === 0) throw refuse('key', 'Enter the keys, one a line.')
  return keys.map((key) => ({
    ...channel,
    key,
    name: hasKeyInName ? `${channel.name} ${key.slice(0, KEY_PREFIX_LENGTH)}` : channel.name,
  }))
}

const create = defineOperation({
  name: 'channel.create',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel' },
  input: createInput,
  run(input, { parts }): { ids: number[] } {
    const { mode = 'single', channel, batch_add_set_key_prefix_2_name: hasKeyInName } = input
    if (channel === undefined && input.mode !== undefined) {
      throw refuse('channel', 'The field "channel" is missing.')
    }
    const list = split(newChannel(channel ?? input, parts), mode, hasKeyInName)
    for (const one of list) checkChannel(one)
    return { ids: parts.channels.createMany(list).map(({ id }) => id) }
  },
})

/** The fields that a change of status brings; the status as it was read changes nothing. */
function statusFields(
  channel: Channel,
  status: 1 | 2 | 3 | undefined,
  username: string,
): Partial<Channel> {
  if (status === undefined || status === channel.status) return {}
  if (status === 3) throw refuse('status', 'Status must be 1 (enabled) or 2 (disabled).')
  return statusChange(status, username)
}

const update = defineOperation({
  name: 'channel.update',
  access: 'admin',
  http: { method: 'PUT', path: '/api/channel' },
  input: z.strictObject({
    ...channelFields,
    id: recordId,
    key_mode: z.literal(['replace', ''], 'must be "replace"').optional(),
    multi_key_mode: z.unknown().optional(),
  }),
  run(input, context): ChannelRecord {
    const { parts } = context
    const channel = existingChannel(input.id, parts)
    const fields = toChannelFields(input, parts)
    const status = statusFields(channel, input.status, signedIn(context).username)
    // A channel that is wrong can at least be disabled.
    if (Object.keys(fields).length > 0) checkChannel({ ...channel, ...fields })
    return toChannelRecord(parts.channels.update(channel.id, { ...fields, ...status }), parts)
  },
})

const remove = defineOperation({
  name: 'channel.delete',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/channel/:id' },
  input: z.object({ id: recordId }),
  run({ id }, { parts }): void {
    parts.channels.remove([existingChannel(id, parts).id])
  },
})

const setStatus = defineOperation({
  name: 'channel.status',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/:id/status' },
  input: z.strictObject({
    id: recordId,
    status: z.literal([1, 2], 'must be 1 (enabled) or 2 (disabled)'),
  }),
  run({ id, status }, context): ChannelRecord {
    const { parts } = context
    const channel = existingChannel(id, parts)
    const fields = statusFields(channel, status, signedIn(context).username)
    return toChannelRecord(parts.channels.update(id, fields), parts)
  },
})

const copy = defineOperation({
  name: 'channel.copy',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/copy/:id' },
  input: z.strictObject({
    id: recordId,
    suffix: z
      .string()
      .max(50)
      .regex(/^\P{Cc}*$/u, 'must be one line')
      .optional(),
    reset_balance: flag.optional(),
  }),
  run({ id, suffix = '_copy', reset_balance: isReset = true }, { parts }): { id: number } {
    const { id: _id, createdTime: _time, keyUnreadable, ...fields } = existingChannel(id, parts)
    if (keyUnreadable) {
      throw new GatewayError('conflict', {
        message: `The key of "${fields.name}" cannot be read any more. Enter it again, then copy.`,
      })
    }
    const balance = isReset ? { balance: 0, balanceUpdatedTime: 0 } : {}
    const name = `${fields.name}${suffix}`
    const untested = { testTime: 0, responseTime: 0 }
    return { id: parts.channels.create({ ...fields, ...balance, ...untested, name }).id }
  },
})

export const channelOperations = [get, create, update, remove, setStatus, copy] as const
