import { codecOf } from '../../convert/codecs.ts'
import { isEventStream, type Received } from '../4-attempt/receive.ts'
import type { Answer } from '../call/answer.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { RelayedStream } from '../stream/relayed-stream.ts'
import { streamHeaders } from '../stream/stream-headers.ts'
import type { WayCall } from '../translate/bridge-call.ts'
import type { Translation } from '../translate/translation.ts'

/** What the client of a converted call is told in headers; the vendor's are not for it. */
function convertedHeaders(
  call: Call,
  { loss }: Translation | WayCall,
  contentType: string,
  isStream: boolean,
): Record<string, string> {
  const losses = loss.header()
  return {
    'content-type': contentType,
    // Each SDK reads the id under its own vendor's name.
    [call.format === 'messages' ? 'request-id' : 'x-request-id']: call.id,
    ...(isStream ? streamHeaders : {}),
    ...(losses === '' ? {} : { 'x-switchyard-loss': losses }),
  }
}

/** An answer of another wire format as the client is to see it; the vendor's headers are not for it. */
export function restoreConverted(
  translation: Translation,
  received: Received,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Answer {
  const isEvents = call.stream && !call.asArray
  const type = isEvents ? 'text/event-stream; charset=utf-8' : 'application/json'
  const { content, response, converted } = received
  if (converted?.isEstimated) translation.noteEstimate()
  const body = response && translation.encode(response)
  // What the answer's own conversion approximates is told as well.
  const headers = convertedHeaders(call, translation, type, call.stream)
  if (converted) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    meter.usage = converted.usage
    meter.isEstimated = converted.isEstimated
    const { kept } = converted
    if (kept) translation.remember(kept.answer, kept.id)
    return { status: 200, headers, body: converted.body }
  }
  if (response && body) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    meter.usage = response.usage ?? translation.estimateUsage(response)
    meter.isEstimated = response.usage === null
    return { status: 200, headers, body }
  }
  // Counting tokens: what came is the client's answer already.
  if (content === null) throw new Error('a converted answer is decoded, or a stream')
  if (Buffer.isBuffer(content)) return { status: 200, headers, body: content }
  const codec = codecOf(call.format)
  const scanner = translation.createScanner()
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status: 200, headers, body: stream }
}

/** As `restoreConverted`, of a call that is no conversation. */
export function restoreWay(
  way: WayCall,
  { headers: upstream, content, way: whole }: Received,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Answer {
  if (whole) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    meter.usage = whole.usage
    // Of a form it shows only now.
    call.stream ||= isEventStream({ 'content-type': whole.contentType })
    const headers = convertedHeaders(call, way, whole.contentType, false)
    return { status: 200, headers, body: whole.body }
  }
  if (content === null || Buffer.isBuffer(content)) throw new Error('a way streams or is whole')
  const { scanner, contentType } = way.createScanner(isEventStream(upstream))
  const headers = convertedHeaders(call, way, contentType, true)
  call.stream ||= !scanner.isBinary
  const codec = codecOf(call.format)
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status: 200, headers, body: stream }
}
