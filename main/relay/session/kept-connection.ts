import { isDeepStrictEqual } from 'node:util'
import type { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Settings } from '../../store/state/settings.ts'
import type { Candidates } from '../2-route/candidates.ts'
import { mayBeAsked } from '../2-route/route.ts'
import type { Call } from '../call/call.ts'
import { type ChannelKey, enabledKeys } from '../channel/channel-keys.ts'
import { failureOfError } from '../failure/failure-of-error.ts'
import { mayRetry } from '../failure/retry-rule.ts'
import type { RelayServices } from '../relay-services.ts'
import type { OpenResponse } from './lanes.ts'
import type { UpstreamSession } from './open-session.ts'

/**
 * The key that a session was opened with, as its channel lists it now; undefined where it was disabled or
 * replaced, or where the session would be opened at another place or with other headers by now.
 */
export function keyStillGood(
  { channel, key }: UpstreamSession,
  now: Channel,
): ChannelKey | undefined {
  const isSamePlace = (
    ['type', 'baseUrl', 'preset', 'openaiOrganization', 'headerOverride', 'settings'] as const
  ).every((name) => isDeepStrictEqual(channel[name], now[name]))
  return isSamePlace ? enabledKeys(now).find(({ text }) => text === key.text) : undefined
}

/** Does it go on from an answer that its vendor may know only on the connection where it was given? */
export const goesOn = ({ body }: Call): boolean =>
  typeof body.get('previous_response_id') === 'string'

/**
 * Had this call better go another way than over the connection to this channel that is there? Its vendor has
 * failed of late and another one is free; or it has asked for a pause, which holds over a connection too.
 */
export function isBetterLeft(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  { sets, isPinned }: Candidates,
  { health }: Pick<RelayServices, 'health'>,
): boolean {
  if (isPinned || health.hasNoFailures(channel.id) || goesOn(call)) return false
  const circuit = health.ofKey(channel.id, key.text, call.model)
  if (mayBeAsked(circuit)) return false
  if (circuit.state !== 'closed' && circuit.isHinted) return true
  return sets.flat().some((one) => {
    const keys = enabledKeys(one).map(({ text }) => text)
    return mayBeAsked(health.ofChannel(one, keys, call.model))
  })
}

/**
 * May a response be asked for again whose connection ended with this? Only where that was there already and had gone
 * stale, as far as can be seen: no word of the response has come, and nothing more was said of it.
 */
export function maySendAgain(
  { call, watched, clock, isSteered }: OpenResponse,
  error: GatewayError,
  options: Readonly<Settings>,
): boolean {
  if (!watched || clock.hasBegun || isSteered || goesOn(call)) return false
  const budget = options.RetryBudgetSeconds * 1000 || Infinity
  return performance.now() - call.receivedAt < budget && mayRetry(failureOfError(error), options)
}
