import { z } from 'zod'
import { enabledKeys, keyLines } from '../../../relay/channel/channel-keys.ts'
import type { CircuitState, PartOfHealth } from '../../../relay/circuit/health.ts'
import type { Channel } from '../../../store/records/channels.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { followCircuit } from '../../incidents/of-channels.ts'
import { recordId } from '../../operation/input-fields.ts'
import { defineOperation } from '../../operation/operation.ts'
import { whyOutput } from '../../operation/sentence.ts'
import { existingChannel } from '../existing-channel.ts'
import { retestAt } from './channel-retest.ts'

const circuitFields = {
  state: z
    .enum(['closed', 'open', 'half-open'])
    .describe(
      'Circuit: closed, calls go through; open, cooling down; half-open, the cooldown is over and one call probes it.',
    ),
  probing: z.boolean().describe('A call is probing a half-open circuit now.'),
  until: z.int().nullable().describe('When its cooldown ends, in milliseconds since 1970.'),
  reason: z.string().nullable().describe('What it failed of last.'),
  why: whyOutput.optional(),
  failures: z.int().describe('Failures since the last answer.'),
}

const channelHealth = z
  .strictObject({
    id: z.int(),
    ...circuitFields,
    success_rate: z
      .number()
      .nullable()
      .describe('Share of the calls of late that were answered, 0 to 1; null for too few calls.'),
    latency_ms: z
      .number()
      .nullable()
      .describe('Milliseconds until an answer began, the mean of late; null for too few calls.'),
    calls: z.int().describe('Calls of late: of the last five minutes.'),
    parts: z
      .array(
        z.strictObject({
          key: z
            .int()
            .nullable()
            .describe('Index of the key, from 0; null for a channel of one key.'),
          model: z.string().nullable().describe('Null for all models.'),
          ...circuitFields,
        }),
      )
      .describe('Keys and models that have failed since they last answered.'),
    disable_failures: z
      .int()
      .describe(
        'Failures in a row for which a channel or key is disabled at `ChannelDisableFailures`.',
      ),
    retest_at: z
      .int()
      .nullable()
      .describe(
        'When what the gateway disabled of it is tested again, in milliseconds since 1970; null where nothing is.',
      ),
  })
  .meta({ id: 'ChannelHealth' })

type ChannelHealthRecord = z.output<typeof channelHealth>

/** With the names of the wire; `sinceEpoch` turns a time of the process into one of the day. */
const toWire = (circuit: CircuitState, sinceEpoch: number) => ({
  state: circuit.state,
  probing: circuit.state === 'half-open' && circuit.isProbing,
  until: circuit.state === 'open' ? Math.ceil(circuit.until + sinceEpoch) : null,
})

function partsOf(
  channel: Channel,
  circuits: readonly PartOfHealth[],
  sinceEpoch: number,
): ChannelHealthRecord['parts'] {
  const isSeveral = channel.multiKeyMode !== null
  const keys = keyLines(channel.key)
  return circuits.flatMap(({ key, model, failures, reason, why, circuit }) => {
    const index = isSeveral && key !== null ? keys.indexOf(key) : null
    // The key is gone by now; or it is the channel as a whole that this is said of.
    if (index === -1 || (index === null && model === null)) return []
    const cause = { reason, ...(why && { why }) }
    return [{ key: index, model, ...toWire(circuit, sinceEpoch), ...cause, failures }]
  })
}

function toHealthRecord(channel: Channel, parts: GatewayParts): ChannelHealthRecord {
  const { health } = parts
  const { id } = channel
  const now = performance.now()
  const sinceEpoch = Date.now() - now
  const keys = enabledKeys(channel).map(({ text }) => text)
  const circuit = health.ofChannel(channel, keys, null, now)
  const { failures, strikes, calls } = health.overview(id)
  const stats = health.stats(id)
  const round = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    id,
    ...toWire(circuit, sinceEpoch),
    reason: circuit.state === 'closed' ? null : circuit.reason,
    ...(circuit.state !== 'closed' && circuit.why && { why: circuit.why }),
    failures,
    success_rate: stats && round(stats.successRate, 4),
    latency_ms: stats && stats.latency !== null ? round(stats.latency, 1) : null,
    calls,
    parts: partsOf(channel, health.circuits(id, now), sinceEpoch),
    disable_failures: strikes,
    retest_at: retestAt(channel, parts),
  }
}

const list = defineOperation({
  name: 'channel.health',
  summary: 'Gives the health of every channel: what is cooling down, until when and why.',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/health' },
  input: z.object({}),
  output: z.array(channelHealth),
  run: (_input, { parts }): ChannelHealthRecord[] =>
    parts.channels.all().map((channel) => toHealthRecord(channel, parts)),
})

const reset = defineOperation({
  name: 'channel.reset-health',
  summary:
    'Closes the circuits of a channel and its keys, so that calls can use them again at once.',
  access: 'admin',
  http: { method: 'POST', path: '/api/channel/:id/health/reset' },
  input: z.strictObject({ id: recordId }),
  output: z.undefined(),
  run({ id }, { parts }): undefined {
    parts.health.forget(existingChannel(id, parts).id)
    parts.events.emit('server')
  },
})

/**
 * Tells the consoles and the log when something begins to cool down, or answers again; keys by their
 * index. Returns what ends it.
 */
export function reportHealth(parts: GatewayParts): () => void {
  const { health, channels, log, events } = parts
  return health.onChange((change) => {
    const { channelId, key, model, circuit } = change
    followCircuit(change, parts)
    const channel = channels.byId(channelId)
    const index = key === null || !channel?.multiKeyMode ? -1 : keyLines(channel.key).indexOf(key)
    const facts = {
      channel: channelId,
      ...(index === -1 ? {} : { key: index }),
      ...(model === null ? {} : { model }),
    }
    if (circuit.state === 'open') {
      const { until, reason, isHinted } = circuit
      const seconds = Math.ceil((until - performance.now()) / 1000)
      log.warn({ ...facts, seconds, reason, isHinted }, 'a channel is cooling down')
    } else log.info(facts, 'a channel is no longer cooling down')
    events.emit('server')
  })
}

export const channelHealthOperations = [list, reset] as const
