import type { ExchangeRequest } from '../../exchange.ts'
import { putInner } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { Loss } from '../../loss.ts'
import { modelRules } from '../../model/model-rules.ts'
import { keptFields } from '../own-fields.ts'
import { INSTRUCTIONS } from '../request/decode-request.ts'
import { isFromInput } from '../request/encode-input.ts'
import { encodeToolChoice, encodeTools } from '../request/encode-tools.ts'

function encodeFormat({ output }: ExchangeRequest): JsonObject {
  if (!output) return { type: 'text' }
  if (output.type === 'json') return { type: 'json_object' }
  return {
    type: 'json_schema',
    name: output.name ?? 'answer',
    description: output.description ?? null,
    schema: output.schema,
    strict: output.strict ?? false,
  }
}

/**
 * Fields that an answer repeats of its request: the settings as the client sent them, and the vendor's word for
 * each that it did not send. Strict clients want all of them present.
 */
export function echoRequest(request: ExchangeRequest): JsonObject {
  const own = keptFields(request.native)
  const loss = new Loss()
  const rules = modelRules('responses', '')
  const leading = request.turns.find(({ at }) => at === INSTRUCTIONS)?.parts[0]
  const isOwn = request.origin === 'responses'
  const tools = request.tools.filter((tool) => !isOwn || !isFromInput(tool))
  const { reasoning } = request
  const choice =
    request.toolChoice?.mode === 'one' && !isOwn
      ? 'auto'
      : encodeToolChoice(request, { rules, loss })
  const body: JsonObject = {
    background: false,
    instructions: leading?.type === 'text' ? leading.text : null,
    max_output_tokens: request.maxOutput ?? null,
    max_tool_calls: own.max_tool_calls ?? null,
    parallel_tool_calls: request.parallelCalls ?? true,
    previous_response_id: request.previousResponseId ?? null,
    prompt_cache_key: request.cacheKey ?? null,
    reasoning: {
      effort: reasoning?.effort ?? null,
      summary: reasoning?.isShown ? 'auto' : null,
    },
    safety_identifier: request.user ?? null,
    service_tier: request.serviceTier ?? 'auto',
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: {
      format: encodeFormat(request),
      verbosity: request.verbosity ?? 'medium',
    },
    tool_choice: own.tool_choice ?? choice ?? 'auto',
    tools: encodeTools(tools, { rules, loss, isOwn: false }),
    top_logprobs: request.logprobs ?? 0,
    top_p: request.topP ?? 1,
    truncation: own.truncation ?? 'disabled',
    user: null,
    metadata: request.metadata ?? {},
  }
  putInner(body, own, ['reasoning', 'text'])
  return body
}
