import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'

/**
 * The upstream's name of a model: the channel's mapping, followed as a chain until no entry is left.
 * A name that maps to itself ends the chain; any other circle is `channel_misconfigured`.
 */
export function mapModel(model: string, channel: Pick<Channel, 'name' | 'modelMapping'>): string {
  const mapping = channel.modelMapping
  if (!Object.hasOwn(mapping, model)) return model
  const seen = new Set<string>()
  let current = model
  for (;;) {
    const next = Object.hasOwn(mapping, current) ? mapping[current] : undefined
    if (!next || next === current) return current
    seen.add(current)
    if (seen.has(next)) {
      throw new GatewayError('channel_misconfigured', {
        message: `The model mapping of channel "${channel.name}" loops: ${[...seen, next].join(' → ')}. Correct it on the Channels page of the console.`,
        reason: {
          ...{ code: 'channel_mapping_loops', channel: channel.name },
          models: [...seen, next].join(' → '),
        },
      })
    }
    current = next
  }
}
