import { GatewayError } from '../../base/errors.ts'

export const clientLeft = (): GatewayError =>
  new GatewayError('client_gone', {
    message: 'The client has left.',
    reason: { code: 'client_left' },
  })
