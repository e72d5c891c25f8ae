import { z } from 'zod'
import type { EndpointType } from '../adaptor/adaptor.ts'
import { adaptorOf } from '../adaptor/adaptors.ts'
import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { WireFormat } from '../convert/exchange.ts'
import { relay } from '../relay/relay.ts'
import type { Channel } from '../store/channels.ts'
import { callOf } from './call-of.ts'
import { existingChannel } from './existing-channel.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { filterText, flag, recordId } from './input-fields.ts'
import { defineOperation, FailedReply, Reply } from './operation.ts'
import { readWholeAnswer } from './whole-answer.ts'

const TIME_LIMIT = 60_000
const ANSWER_TOKENS = 16

interface Probe {
  format: WireFormat
  path: string
  body(model: string): Record<string, unknown>
  headers?: Record<string, string>
}

const messages = [{ role: 'user', content: 'hi' }]

/** OpenAI's reasoning models refuse the old name of the limit, and others do not know the new one. */
const chatLimit = (model: string): Record<string, number> =>
  /^(?:o\d|gpt-5)/.test(model)
    ? { max_completion_tokens: ANSWER_TOKENS }
    : { max_tokens: ANSWER_TOKENS }

/** The smallest real call of each chat format. */
const probes: Readonly<Partial<Record<EndpointType, Probe>>> = {
  openai: {
    format: 'chat',
    path: '/v1/chat/completions',
    body: (model) => ({ model, messages, ...chatLimit(model) }),
  },
  anthropic: {
    format: 'messages',
    path: '/v1/messages',
    body: (model) => ({ model, messages, max_tokens: ANSWER_TOKENS }),
    headers: { 'anthropic-version': '2023-06-01' },
  },
  gemini: {
    format: 'generate-content',
    path: '/v1beta/models',
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: ANSWER_TOKENS },
    }),
  },
}

/** The probe of the type that was asked for, else of the first chat type that the channel speaks. */
function probeFor(channel: Channel, wanted: string): Probe {
  const types = adaptorOf(channel.type)?.endpointTypes(channel) ?? []
  const candidates = types.filter((type) => wanted === '' || type === wanted)
  for (const type of candidates) {
    const probe = probes[type]
    if (probe) return probe
  }
  throw new GatewayError('invalid_params', {
    message:
      candidates.length > 0 || wanted === ''
        ? 'Only chat can be tested: openai, anthropic or gemini.'
        : `The channel "${channel.name}" does not speak "${wanted}", but: ${types.join(', ')}.`,
    field: 'endpoint_type',
  })
}

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
    const probe = probeFor(channel, input.endpoint_type)
    const model = input.model || channel.testModel || channel.models[0] || ''
    const stream = input.stream === true
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
