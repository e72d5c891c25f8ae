import { GatewayError } from '../../base/errors.ts'
import { parseJson } from '../../base/parse-json.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { Codec } from '../../convert/codec.ts'
import { codecOf } from '../../convert/codecs.ts'
import type { StreamScanner } from '../../convert/events/stream-scanner.ts'
import type { ExchangeResponse } from '../../convert/exchange.ts'
import { JsonFields, JsonFieldsReader } from '../../convert/json/json-fields.ts'
import type { WayAnswer } from '../../convert/other/bridge.ts'
import type { Channel } from '../../store/records/channels.ts'
import { bodyOf, readAll, type UpstreamBody } from '../../upstream/body.ts'
import { readStart, startOf } from '../../upstream/body-start.ts'
import type { UpstreamAnswer, UpstreamHeaders } from '../../upstream/request.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import type { Call, RelayParts } from '../call/call.ts'
import { EVENTS, JSON_TYPE } from '../channel/outgoing-headers.ts'
import { ErrorInAnswer } from '../failure/error-in-answer.ts'
import { UnaskedStream } from '../failure/unasked-stream.ts'
import { unreadable } from '../failure/unreadable.ts'
import { BytesScanner } from '../stream/bytes-scanner.ts'
import type { WayCall } from '../translate/bridge-call.ts'
import { DecodedBeginning } from '../translate/decoded-beginning.ts'
import {
  type AnswerElsewhere,
  answerElsewhere,
  isAnswerForElsewhere,
} from '../translate/threads/answer-on-thread.ts'
import type { Translation } from '../translate/translation.ts'
import { countAnswer, countedTokens } from '../usage/count-tokens.ts'
import { BIG_BODY } from '../usage/estimated-prompt.ts'
import { checkWhole, isSurelyAnswer } from './check-whole.ts'

/** An answer that has begun well: whole, or a stream whose first event is there (or long in coming). */
export interface Received {
  status: number
  headers: UpstreamHeaders
  /** The whole body, or the stream with nothing of it taken away; null where `way` is all there is. */
  content: Buffer | UpstreamBody | null
  /** A whole answer that has to be converted, decoded. */
  response: ExchangeResponse | null
  /** A whole answer to a call that is no conversation, converted. */
  way: WayAnswer | null
  /** A large whole answer of a conversation, converted. */
  converted?: AnswerElsewhere
  /** The fields of a whole answer that goes on as it came. */
  fields?: JsonFields
}

export const ANSWER_LIMIT = 128 * 1024 * 1024
/** Does the upstream say that a stream of events follows? */
export const isEventStream = (headers: UpstreamHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('text/event-stream')

const isJson = (headers: UpstreamHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('json')

/** Known by its length, or not known: fields are then looked for while it comes, and not at once when it is there. */
const mayBeLarge = ({ 'content-length': length }: UpstreamHeaders): boolean =>
  length === undefined || Number(length) >= BIG_BODY

/** What is found out about a stream's beginning. */
type Beginning = Pick<StreamScanner, 'hasBegun' | 'error' | 'isBinary'> & {
  push(chunk: Buffer): unknown
  end?(): void
}

/** An upstream that has sent so much and no event yet sends none; pictures come in events of many megabytes. */
const BEGINNING_LIMIT = 64 * 1024 * 1024

const endlessBeginning = () =>
  new GatewayError('upstream_invalid', {
    message: `The upstream sent ${BEGINNING_LIMIT / 1024 / 1024} MiB of a stream without an event in it.`,
  })

/**
 * Waits until a stream shows its first event, so that an error there can still become a real status or
 * another attempt; after `limit` milliseconds of waiting the answer is begun all the same, so that the
 * client can be kept alive. Gives the body where it has ended by then, else null.
 */
function peek(body: UpstreamBody, scanner: Beginning, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const until = performance.now() + limit
    // The first byte that an upstream has a limited time for is a stream's first event.
    body.isAwaited = true
    const begin = () => {
      ticker.remove(waiting)
      body.unread()
      body.unshift(chunks)
      resolve(null)
    }
    const fail = (error: unknown) => {
      ticker.remove(waiting)
      body.abort()
      reject(error)
    }
    const waiting: Ticking = {
      slot: -1,
      tick: (now) => {
        if (now >= until) begin()
      },
    }
    ticker.add(waiting)
    body.read({
      onChunk(chunk) {
        chunks.push(chunk)
        size += chunk.length
        try {
          scanner.push(chunk)
        } catch (error) {
          fail(error)
          return
        }
        if (scanner.hasBegun || scanner.error) {
          body.isAwaited = false
          begin()
        } else if (size > BEGINNING_LIMIT) fail(endlessBeginning())
      },
      onEnd() {
        ticker.remove(waiting)
        resolve(Buffer.concat(chunks))
      },
      onError: fail,
    })
  })
}

/** Of silence, before the client's answer is begun all the same; 0 switches that off. */
const patienceOf = ({ settings }: RelayParts): number =>
  (settings.current.StreamKeepAliveSeconds || Infinity) * 1000

/**
 * The answer to a call that may have asked for a stream, under the content type of what it begins like: not every
 * vendor labels its streams, and some call them JSON.
 */
async function labelled(
  answer: UpstreamAnswer,
  { stream, asArray }: Pick<Call, 'stream' | 'asArray'>,
  parts: RelayParts,
): Promise<UpstreamAnswer> {
  const { headers } = answer
  const type = String(headers['content-type'] ?? '')
  if (asArray ? isJson(headers) : isEventStream(headers)) return answer
  const isCalledWhole = !stream || /json|html/.test(type)
  answer.body.isAwaited = !isCalledWhole
  const { start, body } = await readStart(answer.body, isCalledWhole ? Infinity : patienceOf(parts))
  answer.body.isAwaited = false
  const known = start ?? (asArray ? 'array' : 'events')
  if (known === 'other' || (known === 'array' && !asArray)) return { ...answer, body }
  const label = known === 'events' ? EVENTS : JSON_TYPE
  return { ...answer, body, headers: { ...headers, 'content-type': label } }
}

/** Takes a 2xx answer in; throws what is wrong with it while another channel can still be tried. */
export async function receive(
  answer: UpstreamAnswer,
  call: Call,
  prepared: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const codec = codecOf(call.format)
  // Of a form it is known only by its answer whether a stream was asked for.
  const asksStream = call.stream || call.form !== null
  const isKnown = codec.answerKeys.length > 0
  // Bytes may begin like anything.
  const mayMislead = isKnown ? asksStream : isJson(answer.headers)
  const known = mayMislead ? await labelled(answer, call, parts) : answer
  if (prepared.translation)
    return receiveConverted(known, call, prepared.translation, prepared, parts)
  if (!isKnown) return receiveAny(known, codec, prepared, parts)
  const { status, headers, body } = known
  const isEvents = isEventStream(headers)
  const asArray = call.asArray && !isEvents
  if (asksStream && (isEvents || (asArray && isJson(headers)))) {
    const options = { withholdUsage: false, showModel: null, asArray, request: call.body }
    const over = await checkBeginning(body, codec.createScanner(options), prepared.channel, parts)
    const content = over ? bodyOf(over) : body
    return { status, headers, content, response: null, way: null }
  }
  if (!asksStream && isEvents && call.verb === 'generate') {
    body.abort()
    throw new UnaskedStream(prepared.channel)
  }
  const reader = mayBeLarge(headers) ? new JsonFieldsReader() : null
  const whole = await readAll(body, ANSWER_LIMIT, reader)
  const fields = fieldsOf(whole, reader, codec, prepared.channel)
  return { status, headers, content: whole, response: null, way: null, fields }
}

/**
 * Throws what `checkWhole` does, and `upstream_invalid` for JSON that breaks off or is no object: no format has such
 * an answer.
 */
function fieldsOf(
  content: Buffer,
  reader: JsonFieldsReader | null,
  { answerKeys }: Codec,
  channel: Channel,
): JsonFields {
  let fields: JsonFields
  try {
    fields = reader?.end(content) ?? new JsonFields(content)
  } catch (cause) {
    checkWhole(content, answerKeys, channel)
    throw new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered 200 with JSON that breaks off or is no object.`,
      cause,
    })
  }
  if (!isSurelyAnswer(fields, answerKeys)) checkWhole(content, [], channel)
  return fields
}

/** Throws what a stream's first event says is wrong. Gives the stream where it is over already, else null. */
async function checkBeginning(
  body: UpstreamBody,
  beginning: Beginning,
  channel: Channel,
  parts: RelayParts,
): Promise<Buffer | null> {
  // Nothing keeps the client of a sound alive, so that to begin its answer early would only spoil another try.
  const patience = beginning.isBinary ? Infinity : patienceOf(parts)
  const whole = await peek(body, beginning, patience)
  // An error of the vendor's, or a page, that is only called a stream.
  const isNone = whole !== null && /^\s*[[{<]/.test(whole.toString('latin1', 0, 100))
  if (whole && isNone && !beginning.hasBegun && !beginning.error) checkWhole(whole, [], channel)
  if (whole) beginning.end?.()
  if (beginning.error) {
    body.abort()
    throw new ErrorInAnswer(beginning.error, channel)
  }
  if (whole && !beginning.hasBegun) {
    throw new GatewayError('upstream_cut', {
      message: `The upstream of channel "${channel.name}" ended the stream before its first event.`,
    })
  }
  return whole
}

/** As `receive`, of an answer that has to be converted; what was asked for and what came may differ. */
async function receiveConverted(
  answer: UpstreamAnswer,
  call: Call,
  translation: Translation,
  { channel, format }: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const { status, headers, body } = answer
  let content: Buffer | null = null
  if (call.stream && isEventStream(headers)) {
    const beginning = new DecodedBeginning(translation.createDecoder())
    content = await checkBeginning(body, beginning, channel, parts)
    if (!content) return { status, headers, content: body, response: null, way: null }
  }
  content ??= await readAll(body, ANSWER_LIMIT)
  // What is no stream for the client may be one of its upstream, Gemini's array of chunks too.
  const start = startOf(content)
  const isEvents = start === 'events' || start === 'array'
  if (start !== 'events') checkWhole(content, codecOf(format).answerKeys, channel)
  if (call.verb === 'count-tokens') {
    const tokens = countedTokens(format, parseJson(content)) ?? translation.estimatedInput
    return { status, headers, content: countAnswer(call, tokens), response: null, way: null }
  }
  try {
    const converted = isAnswerForElsewhere(content, call)
      ? await answerElsewhere(content, isEvents, call, translation, parts)
      : null
    if (converted) return { status, headers, content, response: null, way: null, converted }
    const response = isEvents ? translation.decodeEvents(content) : translation.decodeWhole(content)
    return { status, headers, content, response, way: null }
  } catch (error) {
    const { code, message, status, vendorCode = null, field } = unreadable(error)
    if (code !== 'upstream_error') throw unreadable(error)
    const param = field === undefined ? {} : { param: field }
    throw new ErrorInAnswer({ message, status, code: vendorCode, ...param }, channel)
  }
}

/** An answer that need not be JSON: sound, text, events, or JSON after all. */
async function receiveAny(
  { status, headers, body }: UpstreamAnswer,
  codec: Codec,
  { channel }: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const type = String(headers['content-type'] ?? '')
  if (isEventStream(headers)) {
    const options = { withholdUsage: false, showModel: null, asArray: false }
    const over = await checkBeginning(body, codec.createScanner(options), channel, parts)
    return { status, headers, content: over ? bodyOf(over) : body, response: null, way: null }
  }
  if (!/json|^text\//.test(type)) {
    await checkBeginning(body, new BytesScanner(null), channel, parts)
    return { status, headers, content: body, response: null, way: null }
  }
  const whole = await readAll(body, ANSWER_LIMIT)
  // A transcript may be any text, but no page of a site.
  if (type.includes('json') || type.includes('html')) checkWhole(whole, [], channel)
  return { status, headers, content: whole, response: null, way: null }
}

/** As `receive`, of a call that is no conversation and goes by another format's way. */
export async function receiveWay(
  answer: UpstreamAnswer,
  way: WayCall,
  { channel }: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const mayMislead = way.streams && isJson(answer.headers)
  const { status, headers, body } = mayMislead
    ? await labelled(answer, { stream: false, asArray: false }, parts)
    : answer
  const type = String(headers['content-type'] ?? '')
  if (way.streams && !/json|html/.test(type)) {
    const { scanner } = way.createScanner(isEventStream(headers))
    const over = await checkBeginning(body, scanner, channel, parts)
    const content = over ? bodyOf(over) : body
    return { status, headers, content, response: null, way: null }
  }
  const whole = await readAll(body, ANSWER_LIMIT)
  // What a way reads may be bytes, which look like nothing.
  if (/json|text/.test(type)) checkWhole(whole, [], channel)
  return { status, headers, content: null, response: null, way: way.decode([whole]) }
}
