import { GatewayError } from '../../base/errors.ts'
import { keychainLocked } from '../../base/keychain-locked.ts'
import type { Channel } from '../../store/records/channels.ts'

/** One of a channel's keys. */
export interface ChannelKey {
  /** Its line in the channel's key, from 0. */
  index: number
  /** In plain text; '' where the channel needs none. */
  text: string
}

interface Keys {
  all: readonly ChannelKey[]
  enabled: readonly ChannelKey[]
}

/** The keys of a text with one a line; blank lines are none. */
export const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

// Made once per stored version of a channel: a call asks for them every time.
const known = new WeakMap<Channel, Keys>()

function keysOf(channel: Channel): Keys {
  let keys = known.get(channel)
  if (!keys) {
    const lines = keyLines(channel.key)
    if (channel.multiKeyMode === null) {
      const only = [{ index: 0, text: lines[0] ?? '' }]
      keys = { all: only, enabled: only }
    } else {
      const all = lines.map((text, index) => ({ index, text }))
      const isEnabled = ({ index }: ChannelKey) => (channel.keyStates[index]?.status ?? 1) === 1
      keys = { all, enabled: all.filter(isEnabled) }
    }
    known.set(channel, keys)
  }
  return keys
}

/** The keys that a channel's calls may be made with now: those that nobody has disabled. */
export const enabledKeys = (channel: Channel): readonly ChannelKey[] => keysOf(channel).enabled

/** Throws `keychain_locked` where its secrets cannot be opened now, `channel_misconfigured` where the key never can. */
function checkReadable(channel: Channel): void {
  if (channel.isLocked) throw keychainLocked()
  if (!channel.keyUnreadable) return
  throw new GatewayError('channel_misconfigured', {
    message: `The key of channel "${channel.name}" cannot be read any more. Enter it again on the Channels page of the console.`,
    reason: { code: 'channel_key_unreadable', channel: channel.name },
  })
}

/** The key to ask about the channel with: its first enabled one, else its first. Throws as `choose` does for one that is unreadable. */
export function firstKey(channel: Channel): ChannelKey {
  checkReadable(channel)
  const { all, enabled } = keysOf(channel)
  return enabled[0] ?? all[0] ?? { index: 0, text: '' }
}

/** Next key of each channel in round robin. In memory: after a start all begin with the first. */
export class KeyTurns {
  /** Index from which on the next key is looked for, by channel. */
  readonly #next = new Map<number, number>()

  /**
   * The key for one attempt: by chance, or the next one in order (management-api §13.7), of those enabled
   * ones that are usable at present; where none is, of all that are enabled. Throws `channel_misconfigured`
   * where there is none that may be used.
   */
  choose(channel: Channel, isUsable?: (key: ChannelKey) => boolean): ChannelKey {
    checkReadable(channel)
    const { enabled } = keysOf(channel)
    const first = enabled[0]
    if (!first) {
      throw new GatewayError('channel_misconfigured', {
        message: `All keys of channel "${channel.name}" are disabled. Enable one on the Channels page of the console, or add one.`,
        reason: { code: 'channel_keys_disabled', channel: channel.name },
      })
    }
    if (enabled.length === 1) return this.#taken(channel, first)
    const usable = isUsable ? enabled.filter(isUsable) : enabled
    const eligible = usable.length > 0 ? usable : enabled
    if (channel.multiKeyMode === 'random') {
      return eligible[Math.floor(Math.random() * eligible.length)] ?? first
    }
    const next = this.next(channel)
    return this.#taken(channel, eligible.find(({ index }) => index >= next) ?? eligible[0] ?? first)
  }

  #taken(channel: Channel, key: ChannelKey): ChannelKey {
    if (channel.multiKeyMode === 'polling') this.#next.set(channel.id, key.index + 1)
    return key
  }

  /** Index of the key whose turn is next, were it enabled. */
  next(channel: Channel): number {
    const next = this.#next.get(channel.id) ?? 0
    return next < keysOf(channel).all.length ? next : 0
  }
}
