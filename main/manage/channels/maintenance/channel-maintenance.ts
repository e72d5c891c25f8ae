import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { Sentence } from '../../../base/reason.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { eventRow } from '../../calls/event-row.ts'
import { recordId } from '../../operation/input-fields.ts'
import { defineOperation } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import { checkChannel } from '../channel-write.ts'
import { existingChannel } from '../existing-channel.ts'
import { requireReadableKey } from '../save/unreadable-key.ts'

const reveal = defineOperation({
  name: 'channel.key',
  summary: "Shows a channel's key, several one a line; every look is logged.",
  access: 'root',
  verified: true,
  http: { method: 'POST', path: '/api/channel/:id/key' },
  limit: 'critical',
  input: z.strictObject({ id: recordId }),
  output: z.strictObject({ key: z.string() }),
  async run({ id }, context): Promise<{ key: string }> {
    const { parts, requestId, ip } = context
    const channel = existingChannel(id, parts)
    requireReadableKey(channel, { remedy: 'Enter it again.' })
    const user = signedIn(context)
    const sentence: Sentence = {
      message: `${user.username} looked at the key of channel "${channel.name}" (${id})`,
      reason: { code: 'audit_key_shown', user: user.username, channel: channel.name, id },
    }
    const row = eventRow(3, user, sentence, { requestId, ip, other: { channel_id: id } })
    await parts.ledger.record({ ...row, channelId: id, channelName: channel.name })
    return { key: channel.key }
  },
})

/** Could a call be sent through it, were it enabled? */
function isUsable(channel: Channel): boolean {
  try {
    checkChannel(channel)
    return !channel.keyUnreadable && !channel.isLocked
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}

const fix = defineOperation({
  name: 'channel.fix',
  summary:
    'Works the routing table out anew, and counts the channels that calls can and cannot be sent through.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/fix' },
  input: z.strictObject({}),
  output: z.strictObject({ success: z.int(), fails: z.int() }),
  run(_input, { parts }): { success: number; fails: number } {
    parts.channels.reindex()
    const all = parts.channels.all()
    const success = all.filter(isUsable).length
    return { success, fails: all.length - success }
  },
})

export const channelMaintenanceOperations = [reveal, fix] as const
