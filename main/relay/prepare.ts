import type { Adaptor, ChannelTarget } from '../adaptor/adaptor.ts'
import { adaptorOf } from '../adaptor/adaptors.ts'
import { GatewayError } from '../base/errors.ts'
import { asObject } from '../convert/json-value.ts'
import type { Channel } from '../store/channels.ts'
import type { Call } from './call.ts'
import { overrideHeaders } from './header-override.ts'
import { mapModel } from './map-model.ts'

/** A call made ready for one channel. */
export interface Prepared {
  channel: Channel
  adaptor: Adaptor
  target: ChannelTarget
  /** The model's name at the upstream. */
  upstreamModel: string
  url: string
  headers: Record<string, string>
  /** The caller's own bytes where nothing had to change. */
  body: Buffer
  /** The usage chunk was asked for by us, not by the client. */
  withholdUsage: boolean
}

/** Keys stand one a line; the first is used. */
function keyOf(channel: Channel): string {
  if (channel.keyUnreadable) {
    throw new GatewayError('channel_misconfigured', {
      message: `The key of channel "${channel.name}" cannot be read any more. Enter it again on the Channels page of the console.`,
    })
  }
  const line = channel.key.indexOf('\n')
  return (line < 0 ? channel.key : channel.key.slice(0, line)).trim()
}

const targets = new WeakMap<Channel, ChannelTarget>()

/** What the adaptor needs of a channel; made once per stored version of it. */
export function targetOf(channel: Channel): ChannelTarget {
  let target = targets.get(channel)
  if (!target) {
    const { id, type, baseUrl, other, openaiOrganization, settings, preset } = channel
    target = { id, type, baseUrl, key: keyOf(channel), other, openaiOrganization, settings, preset }
    targets.set(channel, target)
  }
  return target
}

/** Fields to set in the outgoing body; an empty object leaves the caller's bytes alone. */
function bodyFields(
  call: Call,
  channel: Channel,
  upstreamModel: string,
  asksUsage: boolean,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  if (upstreamModel !== call.model && call.format !== 'generate-content') {
    fields.model = upstreamModel
  }
  if (asksUsage) {
    fields.stream_options = { ...asObject(call.body.get('stream_options')), include_usage: true }
  }
  return Object.assign(fields, channel.paramOverride)
}

/** The channel's URL, headers and body for this call. Throws where the channel's settings are wrong. */
export function prepare(call: Call, channel: Channel): Prepared {
  const adaptor = adaptorOf(channel.type)
  if (!adaptor) {
    throw new GatewayError('channel_misconfigured', {
      message: `Channel "${channel.name}" is of type ${channel.type}, which is not supported.`,
    })
  }
  const target = targetOf(channel)
  const upstreamModel = mapModel(call.model, channel)
  const withholdUsage =
    call.format === 'chat' &&
    call.stream &&
    asObject(call.body.get('stream_options'))?.include_usage !== true &&
    adaptor.takesStreamOptions(target)
  const fields = bodyFields(call, channel, upstreamModel, withholdUsage)
  const { format, verb, stream, asArray, query } = call
  const wanted = { format, verb, model: upstreamModel, stream, altSse: !asArray, query }
  const { url, headers } = adaptor.target(target, wanted)
  return {
    channel,
    adaptor,
    target,
    upstreamModel,
    url,
    headers: outgoingHeaders(call, channel, adaptor, target, headers),
    body: Object.keys(fields).length > 0 ? call.body.set(fields) : call.body.bytes,
    withholdUsage,
  }
}

/** The vendor's own headers, the client's that this vendor may see, then what the owner overrides. */
function outgoingHeaders(
  call: Call,
  channel: Channel,
  adaptor: Adaptor,
  target: ChannelTarget,
  vendorHeaders: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...vendorHeaders }
  for (const name in call.headers) {
    const value = call.headers[name]
    if (typeof value === 'string' && adaptor.passesHeader(name, target, call.format))
      headers[name] = value
  }
  headers.accept = call.stream && !call.asArray ? 'text/event-stream' : 'application/json'
  // Plain bytes: what is relayed has to be read on the way.
  headers['accept-encoding'] = 'identity'
  overrideHeaders(headers, channel, target.key, call.headers)
  return headers
}
