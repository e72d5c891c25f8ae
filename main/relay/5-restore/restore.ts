import { redactBytes } from '../../base/log/redact.ts'
import { readVendorError } from '../../convert/errors/vendor-error.ts'
import type { Exchange } from '../4-attempt/attempt.ts'
import type { Answer } from '../call/answer.ts'
import type { Call, RelayParts } from '../call/call.ts'
import type { Meter } from '../call/call-record.ts'
import { answerHeaders } from '../channel/answer-headers.ts'
import { isRefusal, parseJson, type Refusal } from '../failure/refusal.ts'
import { hintOf } from '../failure/retry-hint.ts'
import { mapStatus } from '../failure/vendor-refusal.ts'
import { restoreConverted, restoreWay } from './restore-converted.ts'
import { restoreNative } from './restore-native.ts'

/** The vendor's headers; when to try again stands there even where the vendor says so in the body only. */
function refusalHeaders(refusal: Refusal): Answer['headers'] {
  const headers = answerHeaders(refusal.headers)
  const wait = hintOf(refusal)
  if (wait === null || 'retry-after' in headers || 'retry-after-ms' in headers) return headers
  headers['retry-after'] = String(Math.ceil(wait))
  if (!Number.isInteger(wait)) headers['retry-after-ms'] = String(Math.ceil(wait * 1000))
  return headers
}

/** The upstream's answer as the client is to see it, with its usage read on the way. */
export function restore(exchange: Exchange, call: Call, meter: Meter, parts: RelayParts): Answer {
  const { prepared, received } = exchange
  if (isRefusal(received)) {
    const status = mapStatus(received.status, prepared.channel.statusCodeMapping)
    const said = readVendorError(parseJson(received.body))
    meter.status = status
    meter.failure = {
      message: said?.message ?? `The upstream answered with status ${received.status}.`,
      code: said?.code ?? String(received.status),
    }
    return { status, headers: refusalHeaders(received), body: redactBytes(received.body) }
  }
  meter.status = received.status
  const { translation, way } = prepared
  if (translation) return restoreConverted(translation, received, call, meter, parts)
  if (way) return restoreWay(way, received, call, meter, parts)
  return restoreNative(prepared, received, call, meter, parts)
}
