import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** The channel of an id, or `not_found`. */
export function existingChannel(id: number, { channels }: Pick<GatewayParts, 'channels'>): Channel {
  const channel = channels.byId(id)
  if (channel) return channel
  throw new GatewayError('not_found', {
    message: `There is no channel ${id}. It may have been deleted: reload the list.`,
    field: 'id',
    reason: { code: 'no_channel', id },
  })
}
