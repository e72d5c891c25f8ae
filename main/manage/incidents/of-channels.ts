import { createHash } from 'node:crypto'
import { enabledKeys } from '../../relay/channel/channel-keys.ts'
import type { CircuitChange } from '../../relay/circuit/health.ts'
import { type FailedAttempt, namedStatus } from '../../relay/failure/failure.ts'
import { isKeyRefused } from '../../relay/failure/refuses-key.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** Milliseconds: a shorter pause that the vendor asked for is a rate limit, which is how it should be. */
const LONG_PAUSE = 300_000

/** The key itself is in no message and no log. */
const causeOfKey = (channelId: number, key: string): string =>
  `key:${channelId}:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

const causeOfChannel = (channelId: number): string => `channel:${channelId}`

/** The vendor has refused the key of an attempt. */
export function raiseRefusedKey(
  { channelId, key, failure }: FailedAttempt,
  { channels, incidents }: GatewayParts,
): void {
  const channel = channels.byId(channelId)
  if (!isKeyRefused(failure) || failure.blame === null || key === null || !channel) return
  const cause = causeOfKey(channelId, key)
  const status = namedStatus(failure)
  incidents.raise({ kind: 'key-refused', cause, channelId, channelName: channel.name, status })
}

/** A channel that is gone because its key is refused is no second incident. */
function raiseChannel(
  { id, name }: Channel,
  how: 'disabled' | 'cooling',
  reason: string,
  { incidents }: GatewayParts,
): void {
  if (incidents.hasRefusedKey(id)) return
  const cause = causeOfChannel(id)
  incidents.raise({ kind: 'channel', cause, channelId: id, channelName: name, how, reason })
}

/** The gateway has disabled a channel. */
export const raiseDisabled = (channel: Channel, reason: string, parts: GatewayParts): void =>
  raiseChannel(channel, 'disabled', reason, parts)

/** The gateway has enabled a channel again. */
export const resolveDisabled = ({ id }: Pick<Channel, 'id'>, { incidents }: GatewayParts): void =>
  incidents.resolve(causeOfChannel(id))

/** Follows the circuits: a channel with no key left that may be asked, and one that answers again. */
export function followCircuit(
  { channelId, key, circuit: news }: CircuitChange,
  parts: GatewayParts,
): void {
  const { channels, health, incidents } = parts
  const channel = channels.byId(channelId)
  if (!channel) return
  const now = performance.now()
  const keys = enabledKeys(channel).map(({ text }) => text)
  const circuit = health.ofChannel(channel, keys, null, now)
  if (circuit.state !== 'open') {
    if (news.state !== 'closed') return
    if (channel.status === 1) incidents.resolve(causeOfChannel(channelId))
    if (key !== null && health.ofKeyAlone(channelId, key, '', now).state === 'closed')
      incidents.resolve(causeOfKey(channelId, key))
    return
  }
  if (circuit.isHinted && circuit.until - now < LONG_PAUSE) return
  const { reason } = circuit
  // The attempt that this is about is judged in this same turn: it may be that its key was refused.
  queueMicrotask(() => raiseChannel(channel, 'cooling', reason, parts))
}
