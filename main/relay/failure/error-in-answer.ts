import { GatewayError } from '../../base/errors.ts'
import type { VendorError } from '../../convert/events/stream-scanner.ts'
import type { Channel } from '../../store/records/channels.ts'
import { accountStatus, isAboutRequest } from './refuses-key.ts'
import { sentenceHint } from './retry-hint.ts'

/** A vendor's error inside a 200 answer or in a stream's first event. */
export class ErrorInAnswer extends GatewayError {
  readonly vendor: VendorError

  constructor(vendor: VendorError, channel: Channel) {
    const { message, code, param } = vendor
    const status = accountStatus(vendor.status, [code], message) ?? vendor.status ?? 502
    const wait = status === 429 ? sentenceHint(message) : null
    if (status === 401 || (status === 403 && !isAboutRequest(message, [code]))) {
      super('channel_key_refused', {
        message: `The vendor refused the key of channel "${channel.name}": ${message}`,
      })
    } else {
      super('upstream_error', {
        message,
        status,
        ...(code === null ? {} : { vendorCode: code }),
        ...(param === undefined ? {} : { field: param }),
        ...(wait === null ? {} : { retryAfter: wait }),
      })
    }
    this.vendor = vendor
  }
}
