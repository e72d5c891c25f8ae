import type { Codec } from '../../convert/codec.ts'
import { codecOf } from '../../convert/codecs.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import type { Prepared } from '../3-prepare/prepare.ts'
import { isEventStream, type Received } from '../4-attempt/receive.ts'
import type { Answer } from '../call/answer.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { answerHeaders } from '../channel/answer-headers.ts'
import { answeredModels } from '../channel/other-models.ts'
import { unreadable } from '../failure/unreadable.ts'
import { BytesScanner } from '../stream/bytes-scanner.ts'
import { RelayedStream } from '../stream/relayed-stream.ts'
import { streamHeaders } from '../stream/stream-headers.ts'
import { estimateUsage } from '../usage/estimate-usage.ts'

/** A whole answer with the name of the model that the client asked for. */
function named(answer: JsonFields, codec: Codec, call: Call): Buffer {
  if (answer.kind(codec.modelField) !== 'string') return answer.bytes
  return answer.set({ [codec.modelField]: call.model })
}

/** A whole answer in JSON, its usage read; as it came but for the model's name and for what was asked of it. */
function restoreJson(
  answer: JsonFields,
  isMapped: boolean,
  codec: Codec,
  call: Call,
  meter: Meter,
): Buffer {
  if (call.verb === 'generate') {
    meter.usage = codec.readUsage(answer)
    if (meter.usage === null) {
      meter.usage = estimateUsage(call, answer)
      meter.isEstimated = meter.usage !== null
    }
  }
  // The client sees the name that it asked for, where the channel maps it to another.
  const body = isMapped ? named(answer, codec, call) : answer.bytes
  return codec.fitAnswer?.(body, call.body) ?? body
}

/** As `restoreJson`, of an answer whose fields may not be known yet; what is broken inside is its upstream's fault. */
function readJson(
  content: Buffer,
  fields: JsonFields | undefined,
  ...rest: [isMapped: boolean, codec: Codec, call: Call, meter: Meter]
): Buffer {
  try {
    return restoreJson(fields ?? new JsonFields(content), ...rest)
  } catch (error) {
    throw unreadable(error)
  }
}

/** The vendor's own answer, but for the model's name. */
export function restoreNative(
  prepared: Prepared,
  received: Received,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Answer {
  const codec = codecOf(call.format)
  const { status, content } = received
  const headers = answerHeaders(received.headers)
  const isMapped = prepared.upstreamModel !== call.model
  meter.answeredModels = answeredModels(call, received, codec, prepared.channel)
  if (content === null) throw new Error('a native answer has a body')
  if (Buffer.isBuffer(content)) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    const isJson = codec.answerKeys.length > 0 || String(headers['content-type']).includes('json')
    if (isJson) {
      const body = readJson(content, received.fields, isMapped, codec, call, meter)
      return { status, headers, body }
    }
    meter.usage = codec.requestUsage?.(call.body) ?? null
    return { status, headers, body: content }
  }
  const isEvents = isEventStream(received.headers)
  // Some upstreams send events whatever they are asked for.
  if (isEvents) call.asArray = false
  const isBytes = codec.answerKeys.length === 0 && !isEvents
  const scanner = isBytes
    ? new BytesScanner(codec.requestUsage?.(call.body) ?? null)
    : codec.createScanner({
        withholdUsage: prepared.withholdUsage,
        showModel: isMapped ? call.model : null,
        asArray: call.asArray,
        request: call.body,
      })
  // Of a form it shows only now.
  call.stream ||= !isBytes
  Object.assign(headers, streamHeaders)
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status, headers, body: stream }
}
