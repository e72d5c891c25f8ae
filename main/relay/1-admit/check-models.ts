import { GatewayError } from '../../base/errors.ts'
import { checkToolKeys } from '../../convert/check/guarded-keys.ts'
import {
  formModels,
  helperModels,
  type NamedModel,
  namedModels,
  openChoice,
} from '../../convert/check/named-models.ts'
import type { Token } from '../../store/records/tokens.ts'
import { type Asked, nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import { tokenName } from './check-caller.ts'

/** Throws `model_not_allowed` for a model that a token's list leaves out. */
export function requireAllowed(token: Token, call: Asked, { name, at }: NamedModel): void {
  if (!token.modelLimitsEnabled || token.modelLimits.includes(name)) return
  const allowed = token.modelLimits.join(', ')
  throw new GatewayError('model_not_allowed', {
    message: `${tokenName(token)} may not use the model ${nameOf(call, name)}. Allowed: ${allowed || 'none'}.`,
    reason: {
      code: 'model_refused',
      token: token.name,
      model: shortNameOf(call, name),
      allowed: allowed || '–',
    },
    field: at,
  })
}

/** The models in a form go by their own names. */
const NO_ALIAS: Asked = { model: '' }

/** The same for the models that a form names beside its own, which are known when all of it has come. */
export function checkFormModels(
  token: Token | null,
  fields: Readonly<Record<string, readonly string[]>>,
): void {
  if (!token?.modelLimitsEnabled) return
  for (const one of formModels(fields)) requireAllowed(token, NO_ALIAS, one)
}

export function checkModels(token: Token, call: Call): void {
  if (!token.modelLimitsEnabled) return
  requireAllowed(token, call, { name: call.model, at: 'model' })
  for (const one of namedModels(call.body)) requireAllowed(token, call, one)
  if (call.body.kind('tools') === 'array') checkToolKeys(call.body)
  for (const one of helperModels(call.body)) requireAllowed(token, call, one)
  const field = openChoice(call.body)
  if (field === undefined) return
  throw new GatewayError('model_not_allowed', {
    message: `${field}: ${tokenName(token)} may use some models only, and this leaves the choice to the vendor. Leave it out.`,
    reason: { code: 'model_choice_refused', field, token: token.name },
    field,
  })
}
