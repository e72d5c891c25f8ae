import { GatewayError } from './errors.ts'
import { type BodyRule, bodyText } from './sentences/body-rules.ts'
import { codedReason } from './sentences/coded-texts.ts'

/** A request whose field breaks a rule. `field` is its path in the body, a form’s field or a header. */
export const fieldRefusal = (field: string, rule: BodyRule): GatewayError =>
  new GatewayError('invalid_request', {
    message: `${field}: ${bodyText(rule)}.`,
    reason: { code: 'body_field_wrong', field, why: codedReason(rule) },
    field,
  })
