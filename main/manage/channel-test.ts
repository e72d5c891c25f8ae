import { z } from 'zod'
import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import { relay } from '../relay/relay.ts'
import type { Channel } from '../store/channels.ts'
import { callOf } from './call-of.ts'
import { probeFor } from './channel-probes.ts'
import { existingChannel } from './existing-channel.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { filterText, flag, recordId } from './input-fields.ts'
import { defineOperation, FailedReply, Reply } from './operation.ts'
import { readWholeAnswer } from './whole-answer.ts'

const TIME_LIMIT = 60_000

/** The relay's parts with the channel enabled: what is disabled is tested before it is used again. */
function partsFor(channel: Channel, parts: GatewayParts): GatewayParts {
  if (channel.status === 1) return parts
  const enabled: Channel = { ...channel, status: 1 }
  const byId = (id: number) => (id === channel.id ? enabled : parts.channels.byId(id))
  return { ...parts, channels: { ...parts.channels, byId } }
}

const test = defineOperation({
  name: 'channel.test',
  access: 'admin',
  http: { method: 'GET', path: '/api/channel/test/:id' },
  input: z.object({
    id: recordId,
    model: filterText,
    stream: flag.optional(),
    endpoint_type: filterText,
  }),
  async run(input, context): Promise<Reply<undefined>> {
    const { parts } = context
    const channel = existingChannel(input.id, parts)
    const model = input.model || channel.testModel || channel.models[0] || ''
    const probe = probeFor(channel, model, input.endpoint_type)
    const stream = input.stream === true && probe.streams
    const call = callOf(
      {
        ...probe,
        origin: 'model test',
        model,
        stream,
        json: {
          ...probe.body(model),
          ...(stream && probe.format !== 'generate-content' ? { stream } : {}),
        },
        pinnedChannel: channel.id,
        signal: AbortSignal.timeout(TIME_LIMIT),
      },
      context,
    )
    const begin = performance.now()
    const failure = await relay(call, partsFor(channel, parts))
      .then(readWholeAnswer)
      .catch((error: unknown) => error)
    const milliseconds = Math.round(performance.now() - begin)
    const extra = { time: milliseconds / 1000 }
    // Deleted meanwhile: there is nothing left to note it on.
    if (parts.channels.byId(channel.id)) {
      parts.channels.update(channel.id, { testTime: unixSeconds(), responseTime: milliseconds })
    }
    if (failure === null) return new Reply(undefined, { extra })
    if (!(failure instanceof GatewayError)) throw failure
    throw new FailedReply(failure.code === 'client_gone' ? tookTooLong() : failure, extra)
  },
})

const tookTooLong = (): GatewayError =>
  new GatewayError('upstream_timeout', {
    message: `The upstream did not answer within ${TIME_LIMIT / 1000} seconds.`,
  })

export const channelTestOperations = [test] as const
