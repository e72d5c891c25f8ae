import { GatewayError } from '../../base/errors.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Throws for a channel that this user may not choose, or that takes no calls. */
export function checkChannel(
  id: number | undefined,
  { parts, ...context }: OperationContext,
): void {
  if (id === undefined) return
  const field = 'channel'
  if (!hasAdministratorRole(signedIn(context))) {
    throw new GatewayError('forbidden', {
      message: 'Only an administrator may choose the channel. Leave out "channel".',
      field,
      reason: { code: 'only_administrator_chooses_channel' },
    })
  }
  const channel = parts.channels.byId(id)
  if (!channel) {
    throw new GatewayError('not_found', {
      message: `There is no channel ${id}. It may have been deleted: reload the list.`,
      field,
      reason: { code: 'no_channel', id },
    })
  }
  if (channel.status === 1) return
  throw new GatewayError('conflict', {
    message: `The channel "${channel.name}" is disabled. Enable it on the Channels page, or choose another.`,
    field,
    reason: { code: 'channel_is_disabled', channel: channel.name },
  })
}
