import { GatewayError } from '../../../base/errors.ts'

/** Says which term of a query is wrong, where, and why. */
export const queryError = (
  { text, place }: { text: string; place: number },
  why: string,
): GatewayError =>
  new GatewayError('invalid_params', {
    message: `The query’s term ${text} (character ${place}) can’t be read: ${why}.`,
    field: 'q',
  })
