import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'

/** A failure as its caller is told it: with the name of the channel where administrators are told an address. */
export function nameChannel(
  error: GatewayError,
  channel: Pick<Channel, 'name'> | null,
): GatewayError {
  const { code, message, reason, adminMessage, adminAddress, status, cause } = error
  if (adminMessage === message || !channel) return error
  return new GatewayError(code, {
    message: `Channel "${channel.name}": ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    ...(reason && {
      reason: { code: 'of_channel', channel: channel.name, why: reason } as const,
    }),
    adminMessage,
    ...(adminAddress !== undefined && { adminAddress }),
    status,
    cause,
  })
}
