import type { Native } from '../../exchange.ts'
import { keptFields } from '../../foreign/kept-fields.ts'

const itemOf = (native: Native | undefined): unknown => keptFields('responses', native).item_id

/**
 * Are two neighbouring texts two messages? In the Responses format an answer may hold several (what the model
 * says on its way, and the end), which are one text here.
 */
export function areSeparate(before: Native | undefined, next: Native | undefined): boolean {
  const [one, other] = [itemOf(before), itemOf(next)]
  return one !== undefined && other !== undefined && one !== other
}
