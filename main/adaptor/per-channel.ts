import type { ChannelTarget } from './adaptor.ts'

/** Remembers what was worked out for a channel as long as the channel's object lives. */
export function perChannel<Value extends object>(
  workOut: (channel: ChannelTarget) => Value,
): (channel: ChannelTarget) => Value {
  const known = new WeakMap<ChannelTarget, Value>()
  return (channel) => {
    let value = known.get(channel)
    if (value === undefined) {
      value = workOut(channel)
      known.set(channel, value)
    }
    return value
  }
}
