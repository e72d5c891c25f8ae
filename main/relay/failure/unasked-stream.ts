import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'

const failures = new WeakSet<GatewayError>()

/**
 * An upstream has answered with a stream of events where JSON was asked for. Whoever calls may have brought it to that,
 * so that it says nothing of how the channel fares.
 */
export function unaskedStream(channel: Channel): GatewayError {
  const failure = new GatewayError('upstream_invalid', {
    message: `The upstream of channel "${channel.name}" answered with a stream of events, which was not asked for.`,
  })
  failures.add(failure)
  return failure
}

export const isUnaskedStream = (failure: GatewayError): boolean => failures.has(failure)
