import { GatewayError } from '../../base/errors.ts'
import type { ResponseEvent } from '../../convert/other/realtime/response-event.ts'
import { countCut } from '../count-cut.ts'
import type { OpenResponse } from './lanes.ts'

/** Notes what a message of an upstream says of how it fares with a response: that it has begun, or failed. */
export function noteFaring(event: ResponseEvent, { call, meter }: OpenResponse): void {
  const { failure, status } = event
  if (meter.firstByteAfter === null) {
    meter.firstByteAfter = performance.now() - call.receivedAt
    if (!failure) meter.attempt?.answered(200)
  }
  if (failure) {
    const { message, code } = failure
    const details = { message, vendorCode: code, status: status ?? 500 }
    meter.onCut?.(new GatewayError('upstream_error', details))
  }
}

/** Notes what its last message says: what it has used, counted from its words where that is not told. */
export function noteEnd(event: ResponseEvent, { call, meter, scanner }: OpenResponse): void {
  const { usage, failure, status } = event
  if (usage) meter.usage = usage
  else countCut(scanner, call, meter)
  meter.failure = failure
  if (status !== null && status >= 400) meter.status = status
}
