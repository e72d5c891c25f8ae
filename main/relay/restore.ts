import { codecOf } from '../convert/codecs.ts'
import { JsonFields } from '../convert/json-fields.ts'
import { readVendorError } from '../convert/vendor-error.ts'
import type { Answer } from './answer.ts'
import { answerHeaders } from './answer-headers.ts'
import type { Exchange } from './attempt.ts'
import type { Call, RelayParts } from './call.ts'
import type { Meter } from './meter.ts'
import { RelayedStream } from './relayed-stream.ts'
import { parseJson } from './vendor-refusal.ts'

/** The status that the channel's owner wants to be seen in an upstream status's place. */
function mapStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const mapped = Number(mapping[String(status)])
  return Number.isInteger(mapped) && mapped >= 100 && mapped <= 599 ? mapped : status
}

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
  headers['cache-control'] = 'no-cache'
  headers['x-accel-buffering'] = 'no'
  const stream = new RelayedStream(content, scanner, codec, call, meter, parts)
  return { status: received.status, headers, body: stream }
}
