import { GatewayError } from '../../base/errors.ts'
import { redactBytes } from '../../base/log/redact.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { Exchange } from '../4-attempt/attempt.ts'
import type { Answer } from '../call/answer.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { answerHeaders } from '../channel/answer-headers.ts'
import type { RefusedFailure } from '../failure/failure.ts'
import { mapStatus, type ReportedFailure, reportFailure } from '../failure/report-failure.ts'
import { restoreConverted, restoreWay } from './restore-converted.ts'
import { restoreNative } from './restore-native.ts'

/** The vendor's headers; when to try again stands there even where the vendor says so in the body only. */
function refusalHeaders({ refusal, retryAfter: wait }: RefusedFailure): Answer['headers'] {
  const headers = answerHeaders(refusal.headers)
  if (wait === null || 'retry-after' in headers || 'retry-after-ms' in headers) return headers
  headers['retry-after'] = String(Math.ceil(wait))
  if (!Number.isInteger(wait)) headers['retry-after-ms'] = String(Math.ceil(wait * 1000))
  return headers
}

/** The vendor's refusal as it came, but for the status that the channel's owner shows in its place. */
function restoreRefusal(failure: RefusedFailure, channel: Channel, meter: Meter): Answer {
  const { refusal, vendor } = failure
  const status = mapStatus(refusal.status, channel)
  meter.status = status
  meter.failure = {
    message: vendor?.message ?? `The upstream answered with status ${refusal.status}.`,
    code: vendor?.code ?? String(refusal.status),
  }
  return { status, headers: refusalHeaders(failure), body: redactBytes(refusal.body) }
}

/** The upstream's answer as the client sees it, its usage read on the way. Throws a failure that goes as an error. */
export function restore(
  exchange: Exchange | ReportedFailure,
  call: Call,
  meter: Meter,
  parts: RelayParts,
): Answer {
  if ('failure' in exchange) {
    const told = reportFailure(exchange, call.format)
    if (told instanceof GatewayError) throw told
    return restoreRefusal(told, exchange.channel, meter)
  }
  const { prepared, received } = exchange
  meter.status = received.status
  const { translation, way } = prepared
  if (translation) return restoreConverted(translation, received, call, meter, parts)
  if (way) return restoreWay(way, received, call, meter, parts)
  return restoreNative(prepared, received, call, meter, parts)
}
