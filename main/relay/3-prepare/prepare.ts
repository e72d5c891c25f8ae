import { adaptorOf } from '../../adaptor/adaptors.ts'
import { GatewayError } from '../../base/errors.ts'
import { bodyFormat } from '../../convert/check/body-format.ts'
import { isWireFormat, traitsOf } from '../../convert/codecs.ts'
import { bridgeOf } from '../../convert/other/bridges.ts'
import { carriesMark } from '../../convert/reasoning/reasoning-state.ts'
import type { Channel } from '../../store/records/channels.ts'
import { type Call, ownerOf } from '../call/call.ts'
import { formatFor } from '../channel/channel-format.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { targetOf } from '../channel/channel-target.ts'
import { mapModel } from '../channel/map-model.ts'
import { requireListed } from '../channel/other-models.ts'
import type { Bridged } from './bridged/bridged.ts'
import { prepareBridged } from './bridged/prepare-bridged.ts'
import type { Converted } from './converted/converted.ts'
import { type PrepareServices, prepareConverted } from './converted/prepare-converted.ts'
import type { Local } from './local/local.ts'
import type { Passthrough } from './passthrough/passthrough.ts'
import { preparePassthrough } from './passthrough/prepare-passthrough.ts'
import type { Place } from './prepared-call.ts'

/** A call made ready for one channel, by how it gets there and back. */
export type Prepared = Passthrough | Converted | Bridged | Local

/** Some vendors stream only, some not at all; their channels say so in `settings.upstream_stream`. */
function streamsUpstream(call: Call, channel: Channel): boolean {
  const { upstream_stream: rule } = channel.settings
  if (call.verb !== 'generate') return false
  return rule === 'always' || (rule !== 'never' && call.stream)
}

/**
 * Must the client's bytes be written anew although the upstream speaks its format? They hold reasoning that
 * the gateway wrote down for another vendor, refer to an answer that only the gateway knows, or are of
 * another format than their endpoint.
 */
function needsNewBody(call: Call, { responses }: Pick<PrepareServices, 'responses'>): boolean {
  if (carriesMark(call.body)) return true
  if (bodyFormat(call.format, call.body) !== call.format) return true
  if (!traitsOf(call.format).keepsAnswers) return false
  const previous = call.body.get('previous_response_id')
  return typeof previous === 'string' && responses.resolve(ownerOf(call), previous) !== undefined
}

/** The call with a channel's URL, headers and body. Throws where the channel's settings are wrong. */
export function prepare(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  services: PrepareServices,
): Prepared | Promise<Prepared> {
  const adaptor = adaptorOf(channel.type)
  if (!adaptor) {
    throw new GatewayError('channel_misconfigured', {
      message: `Channel "${channel.name}" is of type ${channel.type}, which is not supported. Choose another type on the Channels page of the console.`,
      reason: {
        ...{ code: 'channel_type_unserved', channel: channel.name, type: channel.type },
      },
    })
  }
  const upstreamModel = mapModel(call.model, channel)
  const place: Place = { channel, adaptor, target: targetOf(channel, key), upstreamModel }
  const format = formatFor(channel, call) ?? call.format
  if (format === call.format) requireListed(call, channel)
  const bridge = format === call.format ? undefined : bridgeOf(call.format, format)
  if (bridge) return prepareBridged(call, place, bridge, services)
  // Any other call is the vendor's to understand, whatever stands in it.
  if (!isWireFormat(format)) return preparePassthrough(call, place, services)
  const stream = streamsUpstream(call, channel)
  const isCount = call.verb === 'count-tokens'
  const isAnswerNative = format === call.format && (stream === call.stream || isCount)
  if (isAnswerNative && !needsNewBody(call, services))
    return preparePassthrough(call, place, services)
  return prepareConverted(call, place, { format, stream, isAnswerNative }, services)
}
