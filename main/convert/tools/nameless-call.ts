import { GatewayError } from '../../base/errors.ts'

/** An upstream's call that has arguments or an id, and no name: nobody could run it. */
export const namelessCall = (): GatewayError =>
  new GatewayError('upstream_invalid', {
    message: 'The upstream called a tool without saying which.',
    reason: { code: 'upstream_call_nameless' },
  })
