import { clientConversionOf } from '../../../convert/codecs.ts'
import type { ExchangeRequest } from '../../../convert/exchange.ts'
import type { AskedCall } from '../translate-request.ts'

/**
 * The request as far as an answer repeats it: a format that echoes it says how much it needs, the others look
 * at how thoughts and usage are told only.
 */
export function echoedFields(asked: ExchangeRequest, format: AskedCall['format']): ExchangeRequest {
  const { echoedRequest } = clientConversionOf(format)
  if (echoedRequest) return echoedRequest(asked)
  const { origin, model, stream, reasoning, wantsStreamUsage } = asked
  return {
    ...{ origin, model, stream, turns: [], tools: [] },
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(wantsStreamUsage === undefined ? {} : { wantsStreamUsage }),
  }
}
