import type { Adaptor, ChannelTarget } from '../../adaptor/adaptor.ts'
import { adaptorOf } from '../../adaptor/adaptors.ts'
import { GatewayError } from '../../base/errors.ts'
import { bodyFormat } from '../../convert/body-format.ts'
import { type CallFormat, isWireFormat } from '../../convert/call-format.ts'
import { conversionOf } from '../../convert/codecs.ts'
import type { WireFormat } from '../../convert/exchange.ts'
import { asObject } from '../../convert/json/json-value.ts'
import type { Way } from '../../convert/other/bridge.ts'
import { wayOf } from '../../convert/other/bridges.ts'
import { carriesMark } from '../../convert/reasoning/reasoning-state.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { OutgoingForm } from '../../upstream/form/form-data.ts'
import { type Call, ownerOf, type RelayParts } from '../call/call.ts'
import { bodyFields } from '../channel/body-fields.ts'
import { formatFor } from '../channel/channel-format.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { targetOf } from '../channel/channel-target.ts'
import { mapModel } from '../channel/map-model.ts'
import { requireListed } from '../channel/other-models.ts'
import { ANYTHING, EVENTS, JSON_TYPE, outgoingHeaders } from '../channel/outgoing-headers.ts'
import { overriddenBytes } from '../channel/override/param-override.ts'
import { type CacheNote, type CacheUse, cached, mayCache } from '../explicit-cache/cache-use.ts'
import { cacheableBody } from '../explicit-cache/cacheable-body.ts'
import { markHop } from '../limits/hop-mark.ts'
import { WayCall, wayRequest } from '../translate/bridge-call.ts'
import { isForElsewhere, translateElsewhere } from '../translate/threads/request-on-thread.ts'
import { type Destination, memoryOf, RequestTranslation } from '../translate/translate-request.ts'
import { Translation } from '../translate/translation.ts'
import { countAnswer } from '../usage/count-tokens.ts'
import { fetchFiles } from './fetch-files.ts'

/** A call made ready for one channel. */
export interface Prepared {
  channel: Channel
  adaptor: Adaptor
  target: ChannelTarget
  /** The model's name at the upstream. */
  upstreamModel: string
  /** The wire format that the upstream is called in. */
  format: CallFormat
  /** Is the upstream asked for a stream? */
  stream: boolean
  url: string
  headers: Record<string, string>
  /** The caller's own bytes where nothing had to change, in the pieces in which they came. */
  body: Buffer | readonly Buffer[]
  /** A form's bytes, in place of `body`. */
  form: OutgoingForm | null
  /** The usage chunk was asked for by us, not by the client. */
  withholdUsage: boolean
  /** Where the answer has to be converted; null where it passes through. */
  translation: Translation | null
  /** The same for a call that is no conversation. */
  way: WayCall | null
  /** An answer that needs no upstream. */
  ready: Buffer | null
  /** The cache at the vendor that the body names, or why its request's marks made none; absent without marks. */
  cache?: CacheUse | CacheNote
}

/** The channel, and what is known of it before the call is looked at. */
type Place = Pick<Prepared, 'channel' | 'adaptor' | 'target' | 'upstreamModel'>

/** Some vendors stream only, some not at all; their channels say so in `settings.upstream_stream`. */
function streamsUpstream(call: Call, channel: Channel): boolean {
  const { upstream_stream: rule } = channel.settings
  if (call.verb !== 'generate') return false
  return rule === 'always' || (rule !== 'never' && call.stream)
}

/**
 * Must the client's bytes be rebuilt although the upstream speaks its format? They hold reasoning that
 * the gateway wrote down for another vendor, refer to an answer that only the gateway knows, or are of
 * another format than their endpoint.
 */
function needsRebuilding(call: Call, parts: RelayParts): boolean {
  if (carriesMark(call.body)) return true
  if (bodyFormat(call.format, call.body) !== call.format) return true
  if (call.format !== 'responses') return false
  const previous = call.body.get('previous_response_id')
  return (
    typeof previous === 'string' && parts.responses.resolve(ownerOf(call), previous) !== undefined
  )
}

/** The channel's URL, headers and body for this call. Throws where the channel's settings are wrong. */
export function prepare(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  parts: RelayParts,
): Prepared | Promise<Prepared> {
  const mark = (prepared: Prepared): Prepared => {
    markHop(prepared.headers, call, channel, parts)
    return prepared
  }
  const made = makeReady(call, channel, key, parts)
  return made instanceof Promise ? made.then(mark) : mark(made)
}

function makeReady(
  call: Call,
  channel: Channel,
  key: ChannelKey,
  parts: RelayParts,
): Prepared | Promise<Prepared> {
  const adaptor = adaptorOf(channel.type)
  if (!adaptor) {
    throw new GatewayError('channel_misconfigured', {
      message: `Channel "${channel.name}" is of type ${channel.type}, which is not supported.`,
    })
  }
  const upstreamModel = mapModel(call.model, channel)
  const place: Place = { channel, adaptor, target: targetOf(channel, key), upstreamModel }
  const format = formatFor(channel, call) ?? call.format
  if (format === call.format) requireListed(call, channel)
  const way = format === call.format ? undefined : wayOf(call.format, format)
  if (way) return detour(call, place, way)
  // What is no conversation is the vendor's to understand, whatever stands in it.
  if (!isWireFormat(format)) return passOn(call, place)
  const stream = streamsUpstream(call, channel)
  const isAnswerNative = format === call.format && (stream === call.stream || isCount(call))
  if (isAnswerNative && !needsRebuilding(call, parts)) return passOn(call, place)
  return rebuild(call, place, { format, stream, isAnswerNative }, parts)
}

const isCount = (call: Call): boolean => call.verb === 'count-tokens'

/** Did we ask for the usage chunk, which the client did not? */
const withholdsUsage = (call: Call, { adaptor, target }: Place): boolean =>
  (call.format === 'chat' || call.format === 'completions') &&
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

/** A call that goes to its upstream by another format's way. */
async function detour(call: Call, place: Place, way: Way): Promise<Prepared> {
  const { channel, adaptor, target, upstreamModel } = place
  const there = new WayCall(way, await wayRequest(call), {
    model: upstreamModel,
    settings: channel.settings,
  })
  const stream = there.streams
  const wanted = { verb: 'generate', stream, altSse: true, query: '' } as const
  const { url, headers } = adaptor.target(target, {
    ...wanted,
    format: way.to,
    model: upstreamModel,
  })
  return {
    ...place,
    format: way.to,
    stream,
    url,
    headers: outgoingHeaders(call, place, headers, stream ? EVENTS : ANYTHING, false),
    body: [],
    form: null,
    withholdUsage: false,
    translation: null,
    way: there,
    ready: null,
  }
}

/** A call that the upstream understands as it is. */
function passOn(call: Call, place: Place): Prepared {
  const { channel, adaptor, target, upstreamModel } = place
  const withholdUsage = withholdsUsage(call, place)
  const fields = bodyFields(call, channel, upstreamModel, withholdUsage)
  const { format, verb, stream, asArray, query } = call
  const wanted = { format, verb, model: upstreamModel, stream, altSse: !asArray, query }
  const { url, headers } = adaptor.target(target, wanted)
  const form = call.form?.outgoing(asTexts(fields)) ?? null
  // Named one by one: spreading `place` costs more than the rest of this function.
  const prepared: Prepared = {
    channel,
    adaptor,
    target,
    upstreamModel,
    format,
    stream,
    url,
    headers: outgoingHeaders(call, place, headers, acceptedBy(call), true),
    body: form ? call.body.pieces : overriddenBytes(call, fields, place),
    form,
    withholdUsage,
    translation: null,
    way: null,
    ready: null,
  }
  if (form) prepared.headers['content-type'] = form.contentType
  return prepared
}

/** A call whose body has to be written anew, for another wire format or for its own. */
function rebuild(
  call: Call,
  place: Place,
  to: Rebuilding,
  parts: RelayParts,
): Prepared | Promise<Prepared> {
  const { channel, adaptor, target, upstreamModel } = place
  const destination: Destination = {
    format: to.format,
    model: upstreamModel,
    stream: to.stream,
    settings: channel.settings,
    streamOptions: adaptor.takesStreamOptions(target),
    fetchFiles: parts.settings.current['fetch_setting.fetch_files'],
    caches: mayCache(call, channel, adaptor, to.format),
  }
  if (!isForElsewhere(call)) return rebuildHere(call, place, to, destination, parts)
  return translateElsewhere(call, destination, channel, parts).then((done) => {
    if (!done) return rebuildHere(call, place, to, destination, parts)
    const translation = new Translation(call, destination, done.request, parts)
    return isWithoutVendor(call, place, to)
      ? counted(call, place, to, translation)
      : cached(rebuilt(call, place, to, translation, done.body), done.plan, call, parts)
  })
}

function rebuildHere(
  call: Call,
  place: Place,
  to: Rebuilding,
  destination: Destination,
  parts: RelayParts,
): Prepared | Promise<Prepared> {
  const request = new RequestTranslation(call, destination, memoryOf(call, parts))
  const translation = new Translation(call, destination, request, parts)
  const { missing } = request
  const isCounted = isCount(call) && !to.isAnswerNative && missing.length > 0
  if (isCounted || isWithoutVendor(call, place, to)) return counted(call, place, to, translation)
  const made = () => {
    const { body, plan } = cacheableBody(call, to.format, request, place)
    return cached(rebuilt(call, place, to, translation, body), plan, call, parts)
  }
  if (missing.length === 0) return made()
  return fetchFiles(call, missing, parts).then((files) => {
    request.takeFiles(files)
    return made()
  })
}

/** Are tokens to be counted that the upstream cannot count? */
const isWithoutVendor = (call: Call, place: Place, { format, isAnswerNative }: Rebuilding) =>
  isCount(call) && !isAnswerNative && !canCount(format, place)

/** Tokens that are counted here. */
function counted(
  call: Call,
  place: Place,
  { format, stream }: Rebuilding,
  translation: Translation,
): Prepared {
  const ready = countAnswer(call, translation.estimatedInput)
  return {
    ...place,
    ...{ format, stream, translation, form: null, way: null },
    ...{ url: '', headers: {}, body: [], withholdUsage: false, ready },
  }
}

/** How a call that is written anew goes to its upstream. */
interface Rebuilding {
  format: WireFormat
  stream: boolean
  isAnswerNative: boolean
}

function rebuilt(
  call: Call,
  place: Place,
  { format, stream, isAnswerNative }: Rebuilding,
  translation: Translation,
  body: Buffer,
): Prepared {
  const { adaptor, target, upstreamModel } = place
  const wanted = {
    format,
    verb: call.verb,
    model: upstreamModel,
    stream,
    altSse: !isAnswerNative || !call.asArray,
    query: isAnswerNative ? call.query : '',
  }
  const { url, headers } = adaptor.target(target, wanted)
  return {
    ...place,
    format,
    stream,
    translation: isAnswerNative ? null : translation,
    form: null,
    way: null,
    url,
    headers: outgoingHeaders(
      call,
      place,
      headers,
      stream && wanted.altSse ? EVENTS : JSON_TYPE,
      isAnswerNative,
    ),
    body,
    withholdUsage: isAnswerNative && withholdsUsage(call, place),
    ready: null,
  }
}

/** Has the upstream a call that counts tokens? */
function canCount(format: WireFormat, { adaptor, target, upstreamModel }: Place): boolean {
  if (conversionOf(format).count === undefined) return false
  try {
    const asked = { verb: 'count-tokens', stream: false, altSse: false, query: '' } as const
    adaptor.target(target, { format, model: upstreamModel, ...asked })
    return true
  } catch {
    return false
  }
}

/** What a call that passes through may be answered with. */
function acceptedBy({ format, stream, asArray }: Call): string {
  if (!isWireFormat(format)) return ANYTHING
  return stream && !asArray ? EVENTS : JSON_TYPE
}
