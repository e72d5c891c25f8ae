import { GatewayError } from '../../base/errors.ts'
import type { VendorError } from '../events/stream-scanner.ts'

/** A vendor's own error as the gateway's, with its words, code and field. */
export const upstreamError = ({ message, status, code, param }: VendorError): GatewayError =>
  new GatewayError('upstream_error', {
    message,
    ...(status === null ? {} : { status }),
    ...(code === null ? {} : { vendorCode: code }),
    ...(param === undefined ? {} : { field: param }),
  })
