import type { EndpointType } from '../../../adaptor/adaptor.ts'
import { adaptorOf } from '../../../adaptor/adaptors.ts'
import { GatewayError } from '../../../base/errors.ts'
import type { CallFormat } from '../../../convert/call-format.ts'
import { codecOf } from '../../../convert/codecs.ts'
import { mapModel } from '../../../relay/channel/map-model.ts'
import { type Capability, capabilitiesOf } from '../../../relay/pricing/model-capabilities.ts'
import type { Channel } from '../../../store/records/channels.ts'

/** The smallest real call of one kind. */
export interface Probe {
  format: CallFormat
  path: string
  body(model: string): Record<string, unknown>
  headers?: Record<string, string>
  /** Can it be asked for as a stream? */
  streams: boolean
}

const ANSWER_TOKENS = 16
const messages = [{ role: 'user', content: 'hi' }]

/** OpenAI's reasoning models refuse the old name of the limit, and others do not know the new one. */
const chatLimit = (model: string): Record<string, number> =>
  /^(?:o\d|gpt-5)/.test(model)
    ? { max_completion_tokens: ANSWER_TOKENS }
    : { max_tokens: ANSWER_TOKENS }

/** By the names that the endpoint types have in the request. */
const probes: Readonly<Record<string, Probe>> = {
  openai: {
    format: 'chat',
    path: '/v1/chat/completions',
    body: (model) => ({ model, messages, ...chatLimit(model) }),
    streams: true,
  },
  'openai-response': {
    format: 'responses',
    path: '/v1/responses',
    body: (model) => ({ model, input: 'hi', max_output_tokens: ANSWER_TOKENS, store: false }),
    streams: true,
  },
  'openai-response-compact': {
    format: 'compact',
    path: '/v1/responses/compact',
    body: (model) => ({ model, input: 'hi' }),
    streams: false,
  },
  anthropic: {
    format: 'messages',
    path: '/v1/messages',
    body: (model) => ({ model, messages, max_tokens: ANSWER_TOKENS }),
    headers: codecOf('messages').requestHeaders,
    streams: true,
  },
  gemini: {
    format: 'generate-content',
    path: '/v1beta/models',
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: ANSWER_TOKENS },
    }),
    streams: true,
  },
  embeddings: {
    format: 'embeddings',
    path: '/v1/embeddings',
    body: (model) => ({ model, input: 'hi' }),
    streams: false,
  },
  'jina-rerank': {
    format: 'rerank',
    path: '/v1/rerank',
    body: (model) => ({ model, query: 'hi', documents: ['hello', 'goodbye'] }),
    streams: false,
  },
  'image-generation': {
    format: 'images',
    path: '/v1/images/generations',
    body: (model) => ({ model, prompt: 'a dot' }),
    streams: false,
  },
  audio: {
    format: 'speech',
    path: '/v1/audio/speech',
    body: (model) => ({ model, input: 'hi', voice: 'alloy', response_format: 'wav' }),
    streams: false,
  },
}

/** Which endpoint types show that a model can do what it is for; a picture is made only where it is asked for by name. */
const typesFor: Readonly<Partial<Record<Capability, readonly EndpointType[]>>> = {
  chat: ['openai', 'anthropic', 'gemini', 'openai-response'],
  embeddings: ['embeddings'],
  rerank: ['jina-rerank'],
  speech: ['audio'],
}

/**
 * The probe of the endpoint type that was asked for, else of what the model is for. Throws
 * `invalid_params` where there is none.
 */
export function probeFor(channel: Channel, model: string, wanted: string): Probe {
  const types = adaptorOf(channel.type)?.endpointTypes(channel) ?? []
  if (wanted !== '') {
    const served = types.some((type) => type === wanted.replace(/-compact$/, ''))
    const probe = served ? probes[wanted] : undefined
    if (probe) return probe
    throw new GatewayError('invalid_params', {
      message: served
        ? `The endpoint type "${wanted}" cannot be tested by one small call.`
        : `The channel "${channel.name}" does not speak "${wanted}", but: ${types.join(', ')}.`,
      field: 'endpoint_type',
      reason: {
        code: served ? 'endpoint_type_untestable' : 'endpoint_type_not_spoken',
        channel: channel.name,
        type: wanted,
        types: types.join(', '),
      },
    })
  }
  for (const capability of capabilitiesOf([mapModel(model, channel), model], types)) {
    const type = types.find((one) => typesFor[capability]?.includes(one))
    const probe = type && probes[type]
    if (probe) return probe
  }
  throw new GatewayError('invalid_params', {
    message: `The model "${model}" cannot be tested by one small call here. Choose an endpoint_type of: ${types.join(', ')}.`,
    field: 'endpoint_type',
    reason: { code: 'model_untestable', model, types: types.join(', ') },
  })
}
