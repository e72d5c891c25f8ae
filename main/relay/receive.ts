import { GatewayError } from '../base/errors.ts'
import { type Ticking, ticker } from '../base/ticker.ts'
import type { Codec } from '../convert/codec.ts'
import { codecOf } from '../convert/codecs.ts'
import type { ExchangeResponse } from '../convert/exchange.ts'
import type { WayAnswer } from '../convert/other/way.ts'
import type { StreamScanner } from '../convert/stream-scanner.ts'
import { readVendorError } from '../convert/vendor-error.ts'
import type { Channel } from '../store/channels.ts'
import { readAll, type UpstreamBody } from '../upstream/body.ts'
import type { UpstreamAnswer, UpstreamHeaders } from '../upstream/request.ts'
import { BytesScanner } from './bytes-scanner.ts'
import type { Call, RelayParts } from './call.ts'
import { countAnswer, countedTokens } from './count-tokens.ts'
import { DecodedBeginning } from './decoded-beginning.ts'
import type { Prepared } from './prepare.ts'
import type { Translation } from './translation.ts'
import { unreadable } from './unreadable.ts'
import { hiddenFailure, parseJson } from './vendor-refusal.ts'
import type { WayCall } from './way-call.ts'

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
}

export const ANSWER_LIMIT = 128 * 1024 * 1024
/** Does the upstream say that a stream of events follows? */
export const isEventStream = (headers: UpstreamHeaders): boolean =>
  String(headers['content-type'] ?? '').includes('text/event-stream')

/** How a stream of events begins, a byte order mark aside. */
const EVENTS = /^(?:\xef\xbb\xbf)?\s*(?:data|event|id|retry|):/

/**
 * Some vendors say 200 and mean an error; a proxy in between may say 200 and show a page. One of
 * `answerKeys` stands in every right answer, where there are any.
 */
export function checkWhole(body: Buffer, answerKeys: readonly string[], channel: Channel): void {
  const looksRight = answerKeys.some((key) => body.includes(key))
  if (looksRight && !body.includes('"error"')) return
  const json = parseJson(body)
  if (json === undefined) {
    const isPage = /<html|<!doctype/i.test(body.toString('utf8', 0, 1000))
    throw new GatewayError('upstream_invalid', {
      message: `The upstream of channel "${channel.name}" answered 200 with ${isPage ? 'a web page' : 'something that is not JSON'}. Check the channel's base URL.`,
    })
  }
  const error = readVendorError(json)
  if (error) throw hiddenFailure(error, channel)
}

/** What is found out about a stream's beginning. */
type Beginning = Pick<StreamScanner, 'hasBegun' | 'error'> & {
  push(chunk: Buffer): unknown
  end?(): void
}

/**
 * Waits until a stream shows its first event, so that an error there can still become a real status or
 * another attempt; after `limit` milliseconds of waiting the answer is begun all the same, so that the
 * client can be kept alive. Gives the body where it has ended by then, else null.
 */
function peek(body: UpstreamBody, scanner: Beginning, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const until = performance.now() + limit
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
        try {
          scanner.push(chunk)
        } catch (error) {
          fail(error)
          return
        }
        if (scanner.hasBegun || scanner.error) begin()
      },
      onEnd() {
        ticker.remove(waiting)
        resolve(Buffer.concat(chunks))
      },
      onError: fail,
    })
  })
}

/** Takes a 2xx answer in; throws what is wrong with it while another channel can still be tried. */
export async function receive(
  answer: UpstreamAnswer,
  call: Call,
  prepared: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const { status, headers, body } = answer
  if (prepared.translation)
    return receiveConverted(answer, call, prepared.translation, prepared, parts)
  const codec = codecOf(call.format)
  const type = String(headers['content-type'] ?? '')
  const isArray = call.asArray && type.includes('json')
  if (codec.answerKeys.length === 0) return receiveAny(answer, codec, prepared, parts)
  // Of a form it is known only by its answer whether a stream was asked for.
  const asksStream = call.stream || call.form !== null
  const isStream = asksStream && (isEventStream(headers) || isArray)
  if (!isStream) {
    const whole = await readAll(body, ANSWER_LIMIT)
    checkWhole(whole, codec.answerKeys, prepared.channel)
    return { status, headers, content: whole, response: null, way: null }
  }
  const options = { withholdUsage: false, showModel: null, asArray: call.asArray }
  await checkBeginning(body, codec.createScanner(options), prepared.channel, parts)
  return { status, headers, content: body, response: null, way: null }
}

/** Throws what a stream's first event says is wrong. Gives the stream where it is over already, else null. */
async function checkBeginning(
  body: UpstreamBody,
  beginning: Beginning,
  channel: Channel,
  parts: RelayParts,
): Promise<Buffer | null> {
  const patience = (parts.settings.current.StreamKeepAliveSeconds || Infinity) * 1000
  const whole = await peek(body, beginning, patience)
  if (whole) beginning.end?.()
  if (beginning.error) {
    body.abort()
    throw hiddenFailure(beginning.error, channel)
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
  // Not every vendor labels its streams.
  const isEvents = EVENTS.test(content.toString('latin1', 0, 100))
  if (!isEvents) checkWhole(content, codecOf(format).answerKeys, channel)
  if (call.verb === 'count-tokens') {
    const tokens = countedTokens(format, parseJson(content)) ?? translation.estimatedInput
    return { status, headers, content: countAnswer(call, tokens), response: null, way: null }
  }
  try {
    const response = isEvents ? translation.decodeEvents(content) : translation.decodeWhole(content)
    return { status, headers, content, response, way: null }
  } catch (error) {
    const { code, message, status, vendorCode = null } = unreadable(error)
    if (code !== 'upstream_error') throw unreadable(error)
    throw hiddenFailure({ message, status, code: vendorCode }, channel)
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
    await checkBeginning(body, codec.createScanner(options), channel, parts)
    return { status, headers, content: body, response: null, way: null }
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
  { status, headers, body }: UpstreamAnswer,
  way: WayCall,
  { channel }: Prepared,
  parts: RelayParts,
): Promise<Received> {
  const type = String(headers['content-type'] ?? '')
  if (way.streams && !/json|html/.test(type)) {
    const { scanner } = way.createScanner(isEventStream(headers))
    await checkBeginning(body, scanner, channel, parts)
    return { status, headers, content: body, response: null, way: null }
  }
  const whole = await readAll(body, ANSWER_LIMIT)
  // What a way reads may be bytes, which look like nothing.
  if (/json|text/.test(type)) checkWhole(whole, [], channel)
  return { status, headers, content: null, response: null, way: way.decode([whole]) }
}
