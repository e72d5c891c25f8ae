import { modelFieldsOf } from '../../../convert/check/named-models.ts'
import { codecOf, isWireFormat, traitsOf } from '../../../convert/codecs.ts'
import { JsonFields } from '../../../convert/json/json-fields.ts'
import { asObject } from '../../../convert/json/json-value.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { askedModel } from '../../call/asked-model.ts'
import type { Call } from '../../call/call.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import { renamedModels } from '../../channel/other-models.ts'
import { ANYTHING, EVENTS, JSON_TYPE } from '../../channel/outgoing-headers.ts'
import {
  hasOperations,
  overriddenBytes,
  overrideFields,
} from '../../channel/override/param-override.ts'
import { withoutNote } from '../../channel/without-note.ts'
import type { HopServices } from '../../limits/hop-mark.ts'
import type { Place } from '../prepared-call.ts'
import { requestHeaders } from '../request-headers.ts'
import { Passthrough } from './passthrough.ts'

/** Fields to set in the outgoing body; an empty object leaves the caller's bytes alone. */
function bodyFields(
  call: Call,
  channel: Channel,
  upstreamModel: string,
  asksUsage: boolean,
): Record<string, unknown> {
  const codec = codecOf(call.format)
  const fields: Record<string, unknown> = { ...codec.fitRequest?.(call.body) }
  if (upstreamModel !== askedModel(call)) {
    Object.assign(fields, codec.renameModel?.(call.body, upstreamModel) ?? { model: upstreamModel })
  }
  Object.assign(fields, renamedModels(modelFieldsOf(call.body), channel))
  if (asksUsage) {
    fields.stream_options = { ...asObject(call.body.get('stream_options')), include_usage: true }
  }
  return Object.assign(fields, overrideFields(channel))
}

/** Did we ask for the usage chunk, which the client did not? */
export const withholdsUsage = (call: Call, { adaptor, target }: Place): boolean =>
  traitsOf(call.format).streamUsageOption === true &&
  call.stream &&
  asObject(call.body.get('stream_options'))?.include_usage !== true &&
  adaptor.takesStreamOptions(target)

/** Text fields of a form to be set: all that is set in it is text. */
const asTexts = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

/** The media type of the answers that may pass through. */
function acceptedBy({ format, stream, asArray }: Call): string {
  if (!isWireFormat(format)) return ANYTHING
  return stream && !asArray ? EVENTS : JSON_TYPE
}

function outgoingBytes(
  call: Call,
  fields: Record<string, unknown>,
  place: Place,
  url: string,
): Buffer | readonly Buffer[] {
  const pieces = withoutNote(call.format, call.body, place.channel, url)
  if (!pieces) return overriddenBytes(call, fields, place)
  const isChanged = Object.keys(fields).length > 0 || hasOperations(place.channel)
  return isChanged ? overriddenBytes(call, fields, place, new JsonFields(pieces)) : pieces
}

/** A call that the upstream understands as it is. */
export function preparePassthrough(
  call: Call,
  place: Place,
  services: ConnectionServices & HopServices,
): Passthrough {
  const { channel, adaptor, target, upstreamModel } = place
  const withholds = withholdsUsage(call, place)
  const fields = bodyFields(call, channel, upstreamModel, withholds)
  const { format, verb, stream, asArray, query } = call
  const altSse = !asArray
  const wanted = { format, verb, model: upstreamModel, stream, altSse, query }
  const { url, headers: vendorHeaders } = adaptor.target(target, wanted)
  const headers = requestHeaders(call, place, vendorHeaders, acceptedBy(call), true, services)
  const form = call.form?.outgoing(asTexts(fields)) ?? null
  if (form) headers['content-type'] = form.contentType
  const body = form ? call.body.pieces : outgoingBytes(call, fields, place, url)
  const request = { format, stream, altSse, url, headers, body, form }
  return new Passthrough(call, place, request, withholds, services)
}
