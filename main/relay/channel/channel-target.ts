import type { ChannelTarget } from '../../adaptor/adaptor.ts'
import type { Channel } from '../../store/records/channels.ts'
import { type ChannelKey, firstKey } from './channel-keys.ts'

/** By the channel and the index of the key. */
const targets = new WeakMap<Channel, ChannelTarget[]>()

/**
 * A channel as its adaptor needs it, with one of its keys; made once per stored version of it. Throws
 * `channel_misconfigured` where its key cannot be read.
 */
export function targetOf(channel: Channel, key: ChannelKey = firstKey(channel)): ChannelTarget {
  let own = targets.get(channel)
  if (!own) {
    own = []
    targets.set(channel, own)
  }
  let target = own[key.index]
  if (!target) {
    const { id, type, baseUrl, other, openaiOrganization, settings, preset } = channel
    target = { id, type, baseUrl, key: key.text, other, openaiOrganization, settings, preset }
    own[key.index] = target
  }
  return target
}
