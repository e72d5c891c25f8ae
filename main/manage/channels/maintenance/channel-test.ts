import { z } from 'zod'
import { unixSeconds } from '../../../base/clock.ts'
import { GatewayError } from '../../../base/errors.ts'
import { redact, withoutKey } from '../../../base/log/redact.ts'
import { codecOf } from '../../../convert/codecs.ts'
import { CHANNEL_TEST } from '../../../relay/call/call.ts'
import {
  type ChannelKey,
  enabledKeys,
  firstKey,
  keyLines,
} from '../../../relay/channel/channel-keys.ts'
import type { FailedAttempt } from '../../../relay/failure/failure.ts'
import { relay } from '../../../relay/relay.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { filterText, flag, recordId } from '../../operation/input-fields.ts'
import { defineOperation, FailedReply, Reply } from '../../operation/operation.ts'
import { findOwner } from '../../operation/owner.ts'
import { keyStatesOf } from '../channel-key-states.ts'
import { existingChannel } from '../existing-channel.ts'
import { whyWithoutKey } from '../why-without-key.ts'
import { type CallMaker, callOf } from './call-of.ts'
import { probeFor } from './channel-probes.ts'
import { readWholeAnswer } from './whole-answer.ts'

const TIME_LIMIT = 60_000
/** Characters of a failed test's reason that are kept. */
const LONGEST_REASON = 300

/** Result of a test. */
export interface TestOutcome {
  /** Why it did not pass, or null. */
  failure: GatewayError | null
  milliseconds: number
  /** The key that it was made with; null where it did not come to that. */
  key: string | null
  /** The failure, for the rules that disable channels. */
  failedAttempt: FailedAttempt | null
  /** The model that was asked for. */
  model: string
}

interface TestOptions {
  model?: string
  stream?: boolean
  endpointType?: string
  /** The key to make it with, enabled or not; else one is chosen. */
  key?: string
  /** Milliseconds. */
  timeLimit?: number
}

/** The requested key; if all are disabled, one that the gateway disabled, by chance, so that each has its turn. */
function keyToTest(channel: Channel, options: TestOptions, parts: GatewayParts): ChannelKey {
  if (options.key !== undefined) {
    const index = keyLines(channel.key).indexOf(options.key)
    if (index >= 0) return { index, text: options.key }
  }
  if (channel.keyUnreadable || enabledKeys(channel).length > 0)
    return parts.keyTurns.choose(channel)
  const states = keyStatesOf(channel)
  const keys = keyLines(channel.key)
    .map((text, index) => ({ text, index }))
    .filter(({ index }) => states[index]?.status === 3)
  return keys[Math.floor(Math.random() * keys.length)] ?? firstKey(channel)
}

/**
 * The relay's parts for a test: what is disabled is tested before it is used again, and what a test fails
 * of changes nothing by itself.
 */
function partsFor(channel: Channel, options: TestOptions, parts: GatewayParts) {
  const seen: Pick<TestOutcome, 'key' | 'failedAttempt'> = { key: null, failedAttempt: null }
  const enabled: Channel = channel.status === 1 ? channel : { ...channel, status: 1 }
  const byId = (id: number) => (id === channel.id ? enabled : parts.channels.byId(id))
  const own: GatewayParts = {
    ...parts,
    channels: { ...parts.channels, byId },
    keyTurns: {
      choose(one) {
        const key = keyToTest(one, options, parts)
        seen.key = key.text
        return key
      },
      next: (one) => parts.keyTurns.next(one),
    },
    onFailedAttempt(failed) {
      seen.failedAttempt = failed
    },
  }
  return { own, seen }
}

/**
 * Makes one small real call through a channel, enabled or not, stored or not. It stands in the log as the owner's, no
 * matter who started it, and is taken from nobody's balance. As any call it counts for the health that `parts` has.
 * Throws `invalid_params` where the model cannot be tested by one.
 */
export async function probeChannel(
  channel: Channel,
  options: TestOptions,
  maker: CallMaker,
  parts: GatewayParts,
): Promise<TestOutcome> {
  const model = options.model || channel.testModel || channel.models[0] || ''
  const { timeLimit = TIME_LIMIT } = options
  const probe = probeFor(channel, model, options.endpointType ?? '')
  const stream = options.stream === true && probe.streams
  const call = callOf(
    {
      ...probe,
      origin: CHANNEL_TEST,
      model,
      stream,
      json: {
        ...probe.body(model),
        ...(stream && !codecOf(probe.format).checkPathModel ? { stream } : {}),
      },
      pinnedChannel: channel.id,
      signal: AbortSignal.timeout(timeLimit),
    },
    { ...maker, user: findOwner(parts.users) ?? maker.user },
    parts.captures,
  )
  const { own, seen } = partsFor(channel, options, parts)
  const begin = performance.now()
  const failure = await relay(call, own)
    .then(readWholeAnswer)
    .catch((error: unknown) => error)
  const milliseconds = Math.round(performance.now() - begin)
  if (failure !== null && !(failure instanceof GatewayError)) throw failure
  const isSlow = failure?.code === 'client_gone'
  const reported = isSlow ? tookTooLong(timeLimit) : failure && inFull(failure)
  return { ...seen, failure: reported, milliseconds, model }
}

/** Makes one small real call through a stored channel, and keeps its result with the channel. */
export async function testChannel(
  channel: Channel,
  options: TestOptions,
  maker: CallMaker,
  parts: GatewayParts,
): Promise<TestOutcome> {
  const outcome = await probeChannel(channel, options, maker, parts)
  // Deleted meanwhile: there is nothing left to note it on. Given up: nothing was found out.
  if (!parts.channels.byId(channel.id) || maker.signal.aborted) return outcome
  const { failure, milliseconds, key, model } = outcome
  // The vendor may quote the key, and the state is kept in plain text.
  const problem = failure && redact(withoutKey(failure.message, key ?? ''))
  parts.channels.update(channel.id, {
    testTime: unixSeconds(),
    responseTime: milliseconds,
    lastTest: {
      model,
      problem: problem && shortened(problem),
      ...(failure?.reason && { why: whyWithoutKey(failure.reason, key ?? '') }),
    },
  })
  return outcome
}

const shortened = (reason: string): string =>
  reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason

/** People who may test channels may know their addresses. */
const inFull = (failure: GatewayError): GatewayError =>
  failure.adminMessage === failure.message
    ? failure
    : new GatewayError(failure.code, {
        message: failure.adminMessage,
        cause: failure,
        reason: failure.adminReason ?? failure.reason,
      })

const tookTooLong = (timeLimit: number): GatewayError =>
  new GatewayError('upstream_timeout', {
    message: `The upstream did not answer within ${timeLimit / 1000} seconds. Check the base URL, then try again.`,
    reason: { code: 'upstream_no_answer', seconds: timeLimit / 1000 },
  })

const test = defineOperation({
  name: 'channel.test',
  summary: 'Makes one small real call through a channel; its status stays as it is.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/test/:id' },
  hasEffect: true,
  input: z.object({
    id: recordId,
    model: filterText,
    stream: flag.optional(),
    endpoint_type: filterText,
  }),
  output: z.undefined(),
  beside: z.object({ time: z.number().describe('Seconds.') }),
  async run(input, context): Promise<Reply<undefined>> {
    const { parts } = context
    const { model, stream = false, endpoint_type: endpointType } = input
    const channel = existingChannel(input.id, parts)
    const options = { model, stream, endpointType }
    const { failure, milliseconds } = await testChannel(channel, options, context, parts)
    const extra = { time: milliseconds / 1000 }
    if (failure) throw new FailedReply(failure, extra)
    return new Reply(undefined, { extra })
  },
})

export const channelTestOperations = [test] as const
