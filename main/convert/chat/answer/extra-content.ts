import type { ReasoningState } from '../../exchange.ts'
import { fieldsOfState } from '../reasoning-details.ts'

/** `extra_content` of a call or message: Google's state as Google's own layer writes it, or a vendor's own. */
export function extraOf(state: ReasoningState | undefined): Record<string, unknown> {
  if (!state) return {}
  const own = fieldsOfState(state)?.extra_content
  if (own) return { extra_content: own }
  if (state.origin !== 'generate-content') return {}
  return { extra_content: { google: { thought_signature: state.data } } }
}

/** Does `extra_content` carry it? All other state goes into `reasoning_details`. */
export const isExtra = (state: ReasoningState | undefined): boolean =>
  Object.keys(extraOf(state)).length > 0
