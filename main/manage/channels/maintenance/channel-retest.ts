import { keyLines } from '../../../relay/channel/channel-keys.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { findOwner } from '../../operation/owner.ts'
import { keyStatesOf } from '../channel-key-states.ts'
import { testAndJudge } from './channel-test-round.ts'
import type { Disabled } from './retest-plan.ts'
import { forEachOf } from './rounds.ts'

const AT_ONCE = 4
/** Milliseconds between two looks at what is due. */
const LOOK = 15_000

/** The parts of a channel that the gateway disabled and may enable again: itself, or some of its keys. */
function disabledOf(channel: Channel): Disabled[] {
  const { id: channelId, status } = channel
  if (status === 2) return []
  const whole = status === 3 ? [{ channelId, key: null }] : []
  if (channel.multiKeyMode === null || channel.keyUnreadable) return whole
  const states = keyStatesOf(channel)
  const keys = keyLines(channel.key).filter((_, index) => states[index]?.status === 3)
  if (keys.length > 0) return keys.map((key) => ({ channelId, key }))
  // Keys that a person disabled aren't retested.
  return states.some((state) => state.status === 1) ? whole : []
}

/** When a channel, or the first of its keys, is to be tested again; milliseconds since 1970, or null. */
export function retestAt(channel: Channel, parts: GatewayParts): number | null {
  if (!parts.settings.current.AutomaticEnableChannelEnabled) return null
  const now = performance.now()
  const times = disabledOf(channel).map((one) => parts.retests.dueAt(one, now))
  return times.length === 0 ? null : Math.round(Date.now() + Math.min(...times) - now)
}

/**
 * Tests again what the gateway disabled and is due, where `AutomaticEnableChannelEnabled` says so: what
 * passes is enabled, what does not waits twice as long. Resolves when all are done.
 */
export async function runDueRetests(parts: GatewayParts, now = performance.now()): Promise<void> {
  const { retests } = parts
  const owner = findOwner(parts.users)
  if (!owner || !parts.settings.current.AutomaticEnableChannelEnabled) {
    retests.clear()
    return
  }
  retests.follow(parts.channels.all().flatMap(disabledOf), now)
  const due = retests.due(now)
  if (due.length === 0) return
  await parts.rounds.run('re-test', (signal) =>
    forEachOf(due, { atOnce: AT_ONCE, signal }, async (disabled) => {
      const channel = parts.channels.byId(disabled.channelId)
      if (!channel || channel.status === 2) return
      const { key } = disabled
      const subject = key === null ? { channel } : { channel, key }
      const hasPassed = await testAndJudge(subject, owner, signal, parts)
      if (!signal.aborted) retests.tested(disabled, hasPassed, now)
    }),
  )
  parts.events.emit('server')
}

/** Looks every few seconds whether something is due. Returns what ends it. */
export function scheduleRetests(parts: GatewayParts): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    // A paused gateway asks no vendor by itself.
    if (isRunning || parts.settings.current.PausedSince > 0) return
    isRunning = true
    runDueRetests(parts)
      .catch((error: unknown) => parts.log.error({ err: error }, 'the re-test of channels failed'))
      .finally(() => {
        isRunning = false
      })
  }, LOOK)
  timer.unref()
  return () => clearInterval(timer)
}
