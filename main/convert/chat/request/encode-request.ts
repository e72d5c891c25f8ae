import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import { putInner } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { encodeEffort } from './encode-effort.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeOutput } from './encode-output.ts'
import { encodeSampling } from './encode-sampling.ts'
import { encodeSettings } from './encode-settings.ts'
import { encodeTools } from './encode-tools.ts'

/** The gateway needs usage of every stream, whether the client asked for it or not. */
function encodeStream(
  { stream }: ExchangeRequest,
  { rules }: RequestTarget,
  own: JsonObject,
): JsonObject {
  const options = {
    ...asObject(own.stream_options),
    ...(rules.streamUsage ? { include_usage: true } : {}),
  }
  const hasOptions = stream && Object.keys(options).length > 0
  return { stream, ...(hasOptions ? { stream_options: options } : {}) }
}

/** Objects whose unknown fields go back into them. */
const HEADS = ['thinking', 'reasoning', 'response_format', 'tool_choice']

/**
 * A body for POST /v1/chat/completions of OpenAI or a compatible vendor, by the rules of its model. Throws
 * `invalid_request` naming the client's own field for what would go wrong there.
 */
export function encodeChatRequest(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { stream_options: options, ...own } = target.loss.native(request.native, 'chat')
  const output = encodeOutput(request, target)
  const tools = encodeTools(request, target)
  const settings = encodeSettings(request, target)
  const body: JsonObject = {
    model: target.model,
    messages: encodeMessages(request, target, output.sentence),
    ...encodeStream(request, target, { stream_options: options }),
    ...tools,
    ...(output.format ? { response_format: output.format } : {}),
    ...encodeEffort(request, target),
    ...encodeSampling(request, target),
  }
  return { ...settings, ...putInner(body, own, HEADS), ...body }
}
