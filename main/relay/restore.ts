import { codecOf } from '../convert/codecs.ts'
import { JsonFields } from '../convert/json-fields.ts'
import { readVendorError } from '../convert/vendor-error.ts'
import type { Answer } from './answer.ts'
import { answerHeaders } from './answer-headers.ts'
import type { Exchange } from './attempt.ts'
import type { Call, RelayParts } from './call.ts'
import type { Meter } from './meter.ts'
import type { Received } from './receive.ts'
import { RelayedStream } from './relayed-stream.ts'
import type { Translation } from './translation.ts'
import { mapStatus, parseJson } from './vendor-refusal.ts'

/** The upstream's answer as the client is to see it, with its usage read on the way. */
export function restore(exchange: Exchange, call: Call, meter: Meter, parts: RelayParts): Answer {
  const { prepared, received } = exchange
  const codec = codecOf(call.format)
  const headers = answerHeaders(received.headers)
  if ('body' in received) {
    const status = mapStatus(received.status, prepared.channel.statusCodeMapping)
    const said = readVendorError(parseJson(received.body))
    meter.status = status
    meter.failure = {
      message: said?.message ?? `The upstream answered with status ${received.status}.`,
      code: said?.code ?? String(received.status),
    }
    return { status, headers, body: received.body }
  }
  meter.status = received.status
  if (prepared.translation)
    return restoreConverted(prepared.translation, received, call, meter, parts)
  const isMapped = prepared.upstreamModel !== call.model
  const { content } = received
  if (Buffer.isBuffer(content)) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    const answer = new JsonFields(content)
    if (call.verb === 'generate') meter.usage = codec.readUsage(answer)
    // The client sees the name that it asked for, where the channel maps it to another.
    const isNamed = isMapped && answer.kind(codec.modelField) === 'string'
    const body = isNamed ? answer.set({ [codec.modelField]: call.model }) : content
    return { status: received.status, headers, body }
  }
  const scanner = codec.createScanner({
    withholdUsage: prepared.withholdUsage,
    showModel: isMapped ? call.model : null,
    asArray: call.asArray,
  })
  Object.assign(headers, streamHeaders)
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status: received.status, headers, body: stream }
}

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** An answer of another wire format as the client is to see it; the vendor's headers are not for it. */
function restoreConverted(
  translation: Translation,
  received: Received,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Answer {
  const isEvents = call.stream && !call.asArray
  const losses = translation.loss.header()
  const headers: Record<string, string> = {
    'content-type': isEvents ? 'text/event-stream; charset=utf-8' : 'application/json',
    // Each SDK reads the id under its own vendor's name.
    [call.format === 'messages' ? 'request-id' : 'x-request-id']: call.id,
    ...(call.stream ? streamHeaders : {}),
    ...(losses === '' ? {} : { 'x-switchyard-loss': losses }),
  }
  const { content, response } = received
  if (response) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    meter.usage = response.usage ?? translation.estimateUsage(response)
    meter.isEstimated = response.usage === null
    return { status: 200, headers, body: translation.encode(response) }
  }
  // Counting tokens: what came is the client's answer already.
  if (Buffer.isBuffer(content)) return { status: 200, headers, body: content }
  const codec = codecOf(call.format)
  const scanner = translation.createScanner()
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status: 200, headers, body: stream }
}
