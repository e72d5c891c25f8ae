import { codecOf, conversionOf } from '../../../convert/codecs.ts'
import type { WireFormat } from '../../../convert/exchange.ts'
import { JsonFields } from '../../../convert/json/json-fields.ts'
import type { Call } from '../../call/call.ts'
import { EVENTS, JSON_TYPE } from '../../channel/outgoing-headers.ts'
import { withoutNote } from '../../channel/without-note.ts'
import type { CachePlan } from '../../explicit-cache/cache-plan.ts'
import { type CacheServices, cacheFor, mayCache } from '../../explicit-cache/cache-use.ts'
import { cacheableBody } from '../../explicit-cache/cacheable-body.ts'
import type { HopServices } from '../../limits/hop-mark.ts'
import type { ResponseMemory } from '../../memory/response-memory.ts'
import {
  isForThread,
  requestOnThread,
  type ThreadRequestServices,
} from '../../translate/threads/request-on-thread.ts'
import {
  type Destination,
  type Memories,
  memoryOf,
  translateRequest,
} from '../../translate/translate-request.ts'
import { Translation, type TranslationServices } from '../../translate/translation.ts'
import { Local } from '../local/local.ts'
import { Passthrough } from '../passthrough/passthrough.ts'
import { withholdsUsage } from '../passthrough/prepare-passthrough.ts'
import type { Place } from '../prepared-call.ts'
import { requestHeaders } from '../request-headers.ts'
import { Converted, type ConvertedServices } from './converted.ts'
import { type FileServices, fetchFiles } from './fetch-files.ts'

/** The stores that a call is made ready with. */
export type PrepareServices = ConvertedServices &
  TranslationServices &
  Memories &
  ThreadRequestServices &
  CacheServices &
  FileServices &
  HopServices & { responses: Pick<ResponseMemory, 'resolve'> }

/** How a call whose body is written anew goes to its upstream. */
interface Conversion {
  format: WireFormat
  stream: boolean
  /** The upstream answers as the client asked. */
  isAnswerNative: boolean
}

type Made = Converted | Passthrough | Local

/** A call whose body has to be written anew, for another wire format or for its own. */
export function prepareConverted(
  call: Call,
  place: Place,
  to: Conversion,
  services: PrepareServices,
): Made | Promise<Made> {
  const { channel, adaptor, target, upstreamModel } = place
  const destination: Destination = {
    format: to.format,
    model: upstreamModel,
    stream: to.stream,
    settings: channel.settings,
    streamOptions: adaptor.takesStreamOptions(target),
    storesUnasked: adaptor.storesUnasked?.(target) ?? false,
    fetchFiles: services.settings.current['fetch_setting.fetch_files'],
    caches: mayCache(call, channel, adaptor, to.format),
  }
  if (!isForThread(call)) return translateInProcess(call, place, to, destination, services)
  return requestOnThread(call, destination, channel, services).then((done) => {
    if (!done) return translateInProcess(call, place, to, destination, services)
    const translation = new Translation(call, destination, done.request, services)
    return isWithoutVendor(call, place, to)
      ? countedHere(call, place, to, translation)
      : converted(call, place, to, translation, done.body, done.plan, services)
  })
}

function translateInProcess(
  call: Call,
  place: Place,
  to: Conversion,
  destination: Destination,
  services: PrepareServices,
): Made | Promise<Made> {
  const request = translateRequest(call, destination, memoryOf(call, services))
  const translation = new Translation(call, destination, request, services)
  const { missing } = request
  const isCounted = isCount(call) && !to.isAnswerNative && missing.length > 0
  if (isCounted || isWithoutVendor(call, place, to))
    return countedHere(call, place, to, translation)
  const made = () => {
    const { body, plan } = cacheableBody(call, to.format, request, place)
    return converted(call, place, to, translation, body, plan, services)
  }
  if (missing.length === 0) return made()
  return fetchFiles(call, missing, services).then((files) => {
    request.takeFiles(files)
    return made()
  })
}

const isCount = (call: Call): boolean => call.verb === 'count-tokens'

/** Are tokens to be counted that the upstream cannot count? */
const isWithoutVendor = (call: Call, place: Place, { format, isAnswerNative }: Conversion) =>
  isCount(call) && !isAnswerNative && !canCount(format, place)

const countedHere = (
  call: Call,
  place: Place,
  { format }: Conversion,
  { loss, estimatedInput }: Translation,
): Local => new Local(call, place, format, loss, estimatedInput)

function converted(
  call: Call,
  place: Place,
  { format, stream, isAnswerNative }: Conversion,
  translation: Translation,
  body: Buffer,
  plan: CachePlan | null,
  services: PrepareServices,
): Made | Promise<Made> {
  const { adaptor, target, upstreamModel } = place
  const altSse = !isAnswerNative || !call.asArray
  const query = isAnswerNative ? call.query : ''
  const wanted = { format, verb: call.verb, model: upstreamModel, stream, altSse, query }
  const { url, headers: vendorHeaders } = adaptor.target(target, wanted)
  const accept = stream && altSse ? EVENTS : JSON_TYPE
  const headers = requestHeaders(call, place, vendorHeaders, accept, isAnswerNative, services)
  if (!isAnswerNative) addListed(headers, codecOf(format).bodyHeaders?.(body) ?? {})
  const isRewritten = format === call.format
  const stripped = isRewritten && withoutNote(format, new JsonFields(body), place.channel, url)
  const sent = stripped || body
  const request = { format, stream, altSse, url, headers, body: sent, form: null }
  if (isAnswerNative)
    return new Passthrough(call, place, request, withholdsUsage(call, place), services)
  if (!plan) return new Converted(call, place, request, translation, null, services)
  return cacheFor(call, place, body, plan, translation.loss, services).then(
    (cache) => new Converted(call, place, request, translation, cache, services),
  )
}

/** Adds to headers that are lists, such as an owner's own betas. */
function addListed(
  headers: Record<string, string>,
  others: Readonly<Record<string, string>>,
): void {
  for (const name in others) {
    const listed = headers[name]
    headers[name] = listed ? `${listed},${others[name]}` : (others[name] ?? '')
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
