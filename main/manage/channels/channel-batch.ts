import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { recordIds } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { channelFields } from './channel-fields.ts'
import { isClosedByHand } from './channel-key-states.ts'
import { statusFields } from './channel-write.ts'
import { forgetChanged } from './maintenance/forget-health.ts'

const ids = recordIds(1000)

/** The channels of a list of ids, as far as they exist. */
const existing = (list: readonly number[], { channels }: GatewayParts): Channel[] =>
  list.map((id) => channels.byId(id)).filter((channel) => channel !== undefined)

/**
 * Changes the status of channels in one write; gives how many had another one. Those whose keys were all
 * disabled by hand are passed over when channels are enabled.
 */
export function setStatuses(
  channels: readonly Channel[],
  status: 1 | 2,
  username: string,
  parts: GatewayParts,
): number {
  const changed = channels.filter(
    (channel) => channel.status !== status && !(status === 1 && isClosedByHand(channel)),
  )
  parts.channels.updateMany(
    changed.map((channel) => ({
      id: channel.id,
      fields: statusFields(channel, status, username),
    })),
  )
  forgetChanged(changed, parts)
  return changed.length
}

/** Deletes channels with what is known of them; gives how many there really were. */
function remove(ids: readonly number[], parts: GatewayParts): number {
  const channels = existing(ids, parts)
  const count = parts.channels.remove(ids)
  forgetChanged(channels, parts)
  return count
}

const deleteMany = defineOperation({
  name: 'channel.batch-delete',
  summary: 'Deletes several channels at once; gives how many there really were.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/batch' },
  input: z.strictObject({ ids }),
  output: z.int(),
  run: (input, { parts }): number => remove(input.ids, parts),
})

const deleteDisabled = defineOperation({
  name: 'channel.delete-disabled',
  summary: 'Deletes all channels that are disabled, by hand or by the gateway; gives how many.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/channel/disabled' },
  input: z.object({}),
  output: z.int(),
  run(_input, { parts }): number {
    const disabled = parts.channels.all().filter(({ status }) => status !== 1)
    return remove(
      disabled.map(({ id }) => id),
      parts,
    )
  },
})

const tagMany = defineOperation({
  name: 'channel.batch-tag',
  summary:
    'Gives several channels the same tag, or takes it away with null; gives how many there are.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/batch/tag' },
  input: z.strictObject({ ids, tag: channelFields.tag.unwrap() }),
  output: z.int(),
  run(input, { parts }): number {
    const channels = existing(input.ids, parts)
    parts.channels.updateMany(channels.map(({ id }) => ({ id, fields: { tag: input.tag } })))
    return channels.length
  },
})

const setStatusOfMany = defineOperation({
  name: 'channel.batch-status',
  summary: 'Enables or disables several channels at once; gives how many were not so before.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/status/batch' },
  input: z.strictObject({
    ids,
    status: z.literal([1, 2], fieldProblems.field_status),
  }),
  output: z.int(),
  run(input, context): number {
    const { parts } = context
    const channels = existing(input.ids, parts)
    return setStatuses(channels, input.status, signedIn(context).username, parts)
  },
})

export const channelBatchOperations = [
  deleteMany,
  deleteDisabled,
  tagMany,
  setStatusOfMany,
] as const
