import { readVendorError } from '../convert/vendor-error.ts'
import type { Answer } from './answer.ts'
import { answerHeaders } from './answer-headers.ts'
import type { Exchange } from './attempt.ts'
import type { Call, RelayParts } from './call.ts'
import type { Meter } from './meter.ts'
import { restoreConverted, restoreWay } from './restore-converted.ts'
import { restoreNative } from './restore-native.ts'
import { isRefusal, mapStatus, parseJson } from './vendor-refusal.ts'

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
    return { status, headers: answerHeaders(received.headers), body: received.body }
  }
  meter.status = received.status
  const { translation, way } = prepared
  if (translation) return restoreConverted(translation, received, call, meter, parts)
  if (way) return restoreWay(way, received, call, meter, parts)
  return restoreNative(prepared, received, call, meter, parts)
}
