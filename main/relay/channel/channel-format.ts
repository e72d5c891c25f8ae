import type { EndpointType } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import {
  chosenEndpoints,
  ENDPOINT_OF_FORMAT,
  endpointTypeOf,
} from '../../adaptor/url/endpoint-types.ts'
import type { CallFormat, OtherFormat } from '../../convert/call-format.ts'
import { isWireFormat, traitsOf } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { type ModelRules, modelRules } from '../../convert/model/model-rules.ts'
import { bridgeOf } from '../../convert/other/bridges.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Call } from '../call/call.ts'
import { isChatOnly } from './chat-only.ts'
import { mapModel } from './map-model.ts'

const formats = new Map<string, WireFormat>(
  Object.entries(ENDPOINT_OF_FORMAT).map(([format, type]) => [type, format as WireFormat]),
)

// Worked out once per stored version of a channel: a call asks for them of each that lists its model.
const served = new WeakMap<Channel, readonly EndpointType[]>()

/** The endpoint types of the channel's upstream. */
export function endpointsOf(channel: Channel): readonly EndpointType[] {
  let types = served.get(channel)
  if (!types) {
    types = adaptorOf(channel.type)?.endpointTypes(channel) ?? []
    served.set(channel, types)
  }
  return types
}

function servesType(channel: Channel, format: CallFormat): boolean {
  return endpointsOf(channel).includes(endpointTypeOf(format))
}

/** The effort that a model takes beside tools over Chat; `any` where there's no Responses to ask it over instead. */
function effortOverChat(model: string, channel: Channel): ModelRules['effortWithTools'] {
  if (!servesType(channel, 'responses') || chosenEndpoints(channel) !== null) return 'any'
  return modelRules('chat', upstreamName(model, channel)).effortWithTools
}

/** Would the vendor refuse this call of a Chat client, as OpenAI's newer models do that think beside tools? */
function isRefusedOverChat(channel: Channel, { body, model }: Call): boolean {
  if (body.kind('tools') !== 'array' || !body.rawOf('tools').includes('{')) return false
  const rule = effortOverChat(model, channel)
  if (rule === 'any' || rule === 'never') return rule === 'never'
  const effort = body.get('reasoning_effort') ?? undefined
  return effort !== 'none' && (rule === 'none' || effort !== undefined)
}

/** A mapping that loops is told where the call is prepared. */
function upstreamName(model: string, channel: Channel): string {
  try {
    return mapModel(model, channel)
  } catch {
    return model
  }
}

/** The first conversation's format that the channel's upstream speaks. */
function conversationOf(channel: Channel, { model }: Call): WireFormat | null {
  for (const type of endpointsOf(channel)) {
    const format = formats.get(type) ?? (type as CallFormat)
    if (!isWireFormat(format)) continue
    return format === 'chat' && effortOverChat(model, channel) !== 'any' ? 'responses' : format
  }
  return null
}

/** As the vendor takes it: in the client's format, or in one that it can be brought to. */
function otherFormatFor(channel: Channel, format: OtherFormat): CallFormat | null {
  if (!servesType(channel, format)) return null
  const adaptor = adaptorOf(channel.type)
  const taken = adaptor?.otherFormat ? adaptor.otherFormat(format, channel) : format
  return taken === null || taken === format || bridgeOf(format, taken) ? taken : null
}

/** Does the client want nothing but sound, as from a model that speaks? */
function asksForSpeech(call: Call): boolean {
  if (call.verb !== 'generate' || !traitsOf(call.format).wantsSpeech?.(call.body)) return false
  // A model of conversations that can also speak (gpt-audio) is asked in a conversation.
  return !/(^|[-/])audio/.test(call.model)
}

/**
 * The format in which a channel is sent a call: the client's own where the upstream speaks it, else one
 * that it can be converted to: of a conversation the first that the channel lists, but Responses for a model that
 * cannot think beside tools over Chat, and for a Chat client's call that would fail for that. Null for an upstream that cannot serve it at all.
 */
export function formatFor(channel: Channel, call: Call): CallFormat | null {
  const { format } = call
  if (!isWireFormat(format)) {
    if (format !== 'completions') return otherFormatFor(channel, format)
    const isNative = !isChatOnly(channel, call.model) && otherFormatFor(channel, format) !== null
    return isNative ? format : conversationOf(channel, call)
  }
  if (servesType(channel, format)) {
    return format === 'chat' && isRefusedOverChat(channel, call) ? 'responses' : format
  }
  if (asksForSpeech(call) && otherFormatFor(channel, 'speech') === 'speech') return 'speech'
  return conversationOf(channel, call)
}
