import { z } from 'zod'
import { unixSeconds } from '../../../base/clock.ts'
import { GatewayError } from '../../../base/errors.ts'
import { requestId } from '../../../base/ids.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { User } from '../../../store/records/users.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { defineOperation } from '../../operation/operation.ts'
import { findOwner } from '../../operation/owner.ts'
import { disableFailed, disableFor, enableAgain } from '../channel-guard.ts'
import { isClosedByHand } from '../channel-key-states.ts'
import { type TestOutcome, testChannel } from './channel-test.ts'
import { forEachOf } from './rounds.ts'

const AT_ONCE = 4

/** Disables what failed of what the rules name or is too slow, and enables again what passed; did it pass? */
function judge(channel: Channel, outcome: TestOutcome, parts: GatewayParts): boolean {
  const { failure, failedAttempt, key, milliseconds } = outcome
  const { ChannelDisableThreshold: limit } = parts.settings.current
  if (failure && failedAttempt) disableFailed(failedAttempt, parts)
  // 0: no test is too slow.
  if (limit > 0 && milliseconds > limit * 1000) {
    const took = (milliseconds / 1000).toFixed(1)
    disableFor(
      channel.id,
      {
        message: `The test took ${took} s, which is more than ${limit} s`,
        reason: { code: 'test_too_slow', seconds: took, most: limit },
      },
      parts,
    )
    return false
  }
  if (failure !== null || key === null) return false
  enableAgain(channel.id, key, parts)
  return true
}

/**
 * Tests a channel, with one of its keys where it is named, as the owner's call in the background, and
 * disables or enables it by the outcome. False where it did not pass, or nothing was found out.
 */
export async function testAndJudge(
  { channel, key }: { channel: Channel; key?: string },
  owner: User,
  signal: AbortSignal,
  parts: GatewayParts,
): Promise<boolean> {
  try {
    const maker = { user: owner, requestId: requestId(), ip: '127.0.0.1', signal }
    const outcome = await testChannel(channel, key === undefined ? {} : { key }, maker, parts)
    return !signal.aborted && !parts.openCalls.refusal && judge(channel, outcome, parts)
  } catch (error) {
    // A model that one small call cannot test says nothing of its channel.
    const isExpected = error instanceof GatewayError
    if (!isExpected) parts.log.error({ err: error, channel: channel.id }, 'a channel test failed')
    return false
  }
}

/**
 * Tests every channel that nobody has disabled by hand, nor all its keys, in the background, as the owner's calls. Throws
 * `conflict` while that is under way already.
 */
export function startTestRound(parts: GatewayParts): void {
  const owner = findOwner(parts.users)
  if (!owner) return
  const round = parts.rounds.run('test', (signal) => {
    const channels = parts.channels
      .all()
      .filter((channel) => channel.status !== 2 && !isClosedByHand(channel))
    return forEachOf(channels, { atOnce: AT_ONCE, signal }, async (channel) => {
      await testAndJudge({ channel }, owner, signal, parts)
    })
  })
  round.catch((error: unknown) =>
    parts.log.error({ err: error }, 'the test of all channels failed'),
  )
}

const testAll = defineOperation({
  name: 'channel.test-all',
  summary:
    'Begins to test all channels but those disabled by hand, or whose keys all are, in the background; it may disable some and enable others again.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/test' },
  hasEffect: true,
  input: z.object({}),
  output: z.undefined(),
  run(_input, { parts }): undefined {
    startTestRound(parts)
  },
})

/** Seconds between two looks at whether a round is due. */
const LOOK = 15

/**
 * Begins a round of tests every so many minutes, as the settings `monitor_setting.auto_test_channel_*` say
 * at that time. Returns what ends it.
 */
export function scheduleTestRounds(parts: GatewayParts): () => void {
  let last = unixSeconds()
  const timer = setInterval(() => {
    const settings = parts.settings.current
    const age = unixSeconds() - last
    // Negative after the clock was set back: the round runs.
    const isDue = age < 0 || age >= settings['monitor_setting.auto_test_channel_minutes'] * 60
    if (!settings['monitor_setting.auto_test_channel_enabled'] || !isDue) return
    // A paused gateway asks no vendor by itself.
    if (settings.PausedSince > 0) return
    last = unixSeconds()
    try {
      startTestRound(parts)
    } catch (error) {
      // One that was begun by hand is as good.
      if (!(error instanceof GatewayError)) throw error
    }
  }, LOOK * 1000)
  timer.unref()
  return () => clearInterval(timer)
}

export const channelTestRoundOperations = [testAll] as const
