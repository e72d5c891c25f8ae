import { GatewayError } from '../../base/errors.ts'
import type { ResponseEvent } from '../../convert/other/realtime/response-event.ts'
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
