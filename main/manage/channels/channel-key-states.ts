import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Why } from '../../base/reason.ts'
import { keyLines } from '../../relay/channel/channel-keys.ts'
import type { Channel } from '../../store/records/channels.ts'

type KeyState = Channel['keyStates'][number]

const ENABLED: KeyState = { status: 1, reason: '', time: 0 }

/** The state of each of a channel's keys, one for one, to be changed as you like. */
export const keyStatesOf = ({ key, keyStates }: Pick<Channel, 'key' | 'keyStates'>): KeyState[] =>
  keyLines(key).map((_, index) => keyStates[index] ?? ENABLED)

/** The states that other keys of a channel begin with: a key that was there before keeps its own. */
export function statesFor(keys: readonly string[], channel: Channel): KeyState[] {
  const before = keyLines(channel.key)
  const states = keyStatesOf(channel)
  return keys.map((key) => states[before.indexOf(key)] ?? ENABLED)
}

/** `other_info` of a change of status. */
export const statusNote = (reason: string, why: Why): string =>
  JSON.stringify({ status_reason: reason, status_why: why, status_time: unixSeconds() })

const isUsable = ({ status }: KeyState): boolean => status === 1

/**
 * The fields of a channel of several keys whose keys or their states become others. When none is left that
 * is enabled, the channel is disabled, as by the gateway; with one it is enabled that was disabled for that.
 */
export function keyChange(
  channel: Channel,
  keys: readonly string[],
  states: readonly KeyState[],
): Partial<Channel> {
  const hadUsable = keyStatesOf(channel).some(isUsable)
  const hasUsable = states.some(isUsable)
  return {
    key: keys.join('\n'),
    keyStates: states.every(isUsable) ? [] : [...states],
    ...(channel.status === 1 && !hasUsable
      ? { status: 3, otherInfo: statusNote('All keys are disabled', { code: 'all_keys_disabled' }) }
      : {}),
    ...(channel.status === 3 && hasUsable && !hadUsable
      ? {
          status: 1,
          otherInfo: statusNote('A key is enabled again', { code: 'a_key_enabled_again' }),
        }
      : {}),
  }
}

/** Has a person disabled each of its keys, so that neither a test nor the gateway may use one again? */
export function isClosedByHand(channel: Channel): boolean {
  const isOne = channel.multiKeyMode === null || channel.keyUnreadable
  return !isOne && keyStatesOf(channel).every(({ status }) => status === 2)
}

/**
 * The states with which a channel is enabled by hand: those keys that the gateway had disabled get another
 * chance when there is no other one. Undefined where nothing has to change; throws `conflict` where no key
 * may be used.
 */
export function statesToEnable(channel: Channel): KeyState[] | undefined {
  if (isClosedByHand(channel)) {
    throw new GatewayError('conflict', {
      message: 'All keys were disabled by hand. Enable one first.',
      field: 'status',
      reason: { code: 'keys_disabled_by_hand' },
    })
  }
  const states = keyStatesOf(channel)
  const isOne = channel.multiKeyMode === null || channel.keyUnreadable
  if (isOne || states.some(isUsable)) return undefined
  return states.map((state) => (state.status === 3 ? ENABLED : state))
}
