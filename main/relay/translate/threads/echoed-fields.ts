import type { ExchangeRequest } from '../../../convert/exchange.ts'
import { INSTRUCTIONS } from '../../../convert/responses/request/decode-request.ts'
import type { AskedCall } from '../translate-request.ts'

/**
 * The request as far as an answer repeats it: those of Responses do with all but the conversation, the others look
 * at how thoughts and usage are to be told only.
 */
export function echoedFields(asked: ExchangeRequest, format: AskedCall['format']): ExchangeRequest {
  if (format === 'responses') {
    return { ...asked, turns: asked.turns.filter(({ at }) => at === INSTRUCTIONS) }
  }
  const { origin, model, stream, reasoning, wantsStreamUsage } = asked
  return {
    ...{ origin, model, stream, turns: [], tools: [] },
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(wantsStreamUsage === undefined ? {} : { wantsStreamUsage }),
  }
}
