import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'

/**
 * An upstream answered with a stream of events where JSON was asked for. The client may have brought it to that, so
 * it says nothing of the channel.
 */
export class UnaskedStream extends GatewayError {
  constructor(channel: Channel) {
    super('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered with a stream of events, which was not asked for.`,
    })
  }
}
