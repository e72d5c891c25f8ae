import { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'

/** The refusal of a text that can't be read; `message` names the line or the field in it. */
export const wrongText = (message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'text', reason })
