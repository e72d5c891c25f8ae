import { GatewayError } from '../../base/errors.ts'
import { checkToolKeys } from '../../convert/check/guarded-keys.ts'
import {
  type NamedModel,
  namedModels,
  openChoice,
  toolModels,
} from '../../convert/check/named-models.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { Call } from '../call/call.ts'
import { tokenName } from './check-caller.ts'

/** Throws `model_not_allowed` for a model that a token's list leaves out. */
export function requireAllowed(token: Token, { name, at }: NamedModel): void {
  if (!token.modelLimitsEnabled || token.modelLimits.includes(name)) return
  throw new GatewayError('model_not_allowed', {
    message: `${tokenName(token)} may not use the model "${name}". Allowed: ${token.modelLimits.join(', ') || 'none'}.`,
    field: at,
  })
}

export function checkModels(token: Token, call: Call): void {
  if (!token.modelLimitsEnabled) return
  requireAllowed(token, { name: call.model, at: 'model' })
  for (const one of namedModels(call.body)) requireAllowed(token, one)
  if (call.body.kind('tools') === 'array') {
    checkToolKeys(call.body)
    for (const one of toolModels(call.body)) requireAllowed(token, one)
  }
  const field = openChoice(call.body)
  if (field === undefined) return
  throw new GatewayError('model_not_allowed', {
    message: `${field}: ${tokenName(token)} may use some models only, and this leaves the choice to the vendor. Leave it out.`,
    field,
  })
}
