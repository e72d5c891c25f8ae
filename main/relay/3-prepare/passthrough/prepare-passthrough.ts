import { isWireFormat, traitsOf } from '../../../convert/codecs.ts'
import { asObject } from '../../../convert/json/json-value.ts'
import type { Call } from '../../call/call.ts'
import { bodyFields } from '../../channel/body-fields.ts'
import type { ConnectionServices } from '../../channel/channel-connection.ts'
import { ANYTHING, EVENTS, JSON_TYPE } from '../../channel/outgoing-headers.ts'
import { overriddenBytes } from '../../channel/override/param-override.ts'
import type { HopServices } from '../../limits/hop-mark.ts'
import type { Place } from '../prepared-call.ts'
import { requestHeaders } from '../request-headers.ts'
import { Passthrough } from './passthrough.ts'

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
  const body = form ? call.body.pieces : overriddenBytes(call, fields, place)
  const request = { format, stream, altSse, url, headers, body, form }
  return new Passthrough(call, place, request, withholds, services)
}
