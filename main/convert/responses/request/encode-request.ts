import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest } from '../../exchange.ts'
import { putInner } from '../../foreign/kept-fields.ts'
import { asArray, asObject, type JsonObject } from '../../json/json-value.ts'
import { fittedEffort } from '../../reasoning/effort.ts'
import { encodeInput, isFromInput } from './encode-input.ts'
import { encodeSettings, encodeText } from './encode-settings.ts'
import { encodeToolChoice, encodeTools } from './encode-tools.ts'

/** `reasoning`: effort by the model's own scale, and a summary where the client wants to read thoughts. */
function encodeReasoningRequest(
  { origin, reasoning }: ExchangeRequest,
  target: RequestTarget,
): JsonObject {
  if (!reasoning) return {}
  if (origin === 'responses') {
    return {
      ...(reasoning.effort ? { effort: reasoning.effort } : {}),
      ...(reasoning.isShown ? { summary: 'auto' } : {}),
    }
  }
  const { rules } = target
  const effort = fittedEffort(reasoning, target, 'effort')
  const thinks = rules.thinking !== 'none' && effort !== 'none'
  const asked = effort === undefined ? {} : { effort }
  return { ...asked, ...(reasoning.isShown && thinks ? { summary: 'auto' } : {}) }
}

/** The object as the part of a body to spread; nothing for an empty one. */
const unlessEmpty = (name: string, value: JsonObject): JsonObject =>
  Object.keys(value).length === 0 ? {} : { [name]: value }

function encodeToolFields(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { loss } = target
  // A message from the middle of this format's own input goes back there.
  const isOwn = request.origin === 'responses'
  const listed = isOwn ? request.tools.filter((tool) => !isFromInput(tool)) : request.tools
  const tools = encodeTools(listed, { ...target, isOwn })
  const hasTools = tools.length > 0 || listed.length < request.tools.length
  const choice = encodeToolChoice(request, target)
  if (!hasTools) {
    const { mode } = request.toolChoice ?? {}
    if (!isOwn && (mode === 'required' || mode === 'one')) {
      loss.refuse(loss.field('toolChoice'), 'demands_call')
    }
    return isOwn && choice !== undefined ? { tool_choice: choice } : {}
  }
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...encodeParallel(request, target),
  }
}

/** True is the default, and some models refuse the field whatever it says. */
function encodeParallel(
  { origin, parallelCalls }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): JsonObject {
  const isOwn = origin === 'responses'
  if (parallelCalls === undefined || (parallelCalls && !isOwn)) return {}
  if (isOwn || rules.parallelSwitch) return { parallel_tool_calls: parallelCalls }
  loss.drop(loss.field('parallelCalls'), 'model_without_field')
  return {}
}

/**
 * Further content for the answer (`include`). Thoughts come encrypted, since nothing is stored; models that
 * do not think refuse to be asked for them.
 */
function encodeInclude(
  request: ExchangeRequest,
  { rules }: RequestTarget,
  own: unknown,
): JsonObject {
  const include = new Set(asArray(own))
  if (rules.thinking !== 'none') include.add('reasoning.encrypted_content')
  if (request.logprobs !== undefined) include.add('message.output_text.logprobs')
  return include.size === 0 ? {} : { include: [...include] }
}

/** The vendor takes four marks in a request; of more, the last reach the furthest. */
const MOST_MARKS = 4

function limitMarks(input: readonly JsonObject[], { loss }: RequestTarget): void {
  const marked = input
    .flatMap((item) => [...asArray(item.content), ...asArray(item.output)])
    .flatMap((part): JsonObject[] => [asObject(part) ?? {}])
    .filter((part) => part.prompt_cache_breakpoint !== undefined)
  for (const part of marked.slice(0, -MOST_MARKS)) {
    loss.approximate(loss.field('turns'), { code: 'marks_last', count: MOST_MARKS })
    delete part.prompt_cache_breakpoint
  }
}

/** Objects whose unknown fields go back into them. */
const HEADS = ['reasoning', 'text', 'tool_choice']

/**
 * A body for POST /v1/responses by the rules of its model. Throws `invalid_request` naming the client's own
 * field for what would go wrong there.
 */
export function encodeRequest(request: ExchangeRequest, target: RequestTarget): JsonObject {
  const { rules, loss } = target
  const isOwn = request.origin === 'responses'
  // Other formats' answers are complete in themselves, and nobody would ask for them again.
  const store = isOwn ? request.store : false
  if (!isOwn && request.store) loss.drop(loss.field('store'), 'answers_unstored')
  if (!isOwn && request.previousResponseId !== undefined) {
    loss.refuse(loss.field('previousResponseId'), 'send_whole_conversation')
  }
  const own = loss.native(request.native, 'responses')
  const { tool_choice: ownChoice, include: ownInclude } = own
  const isStateless = store === false
  const { instructions, input } = encodeInput(request, { rules, loss, isOwn, isStateless })
  if (!isOwn) limitMarks(input, target)
  const { text, sentence } = encodeText(request, target)
  if (sentence !== null) {
    const role = rules.developerRole ? 'developer' : 'system'
    input.unshift({ type: 'message', role, content: [{ type: 'input_text', text: sentence }] })
  }
  const body: JsonObject = {
    model: target.model,
    ...(instructions === null ? {} : { instructions }),
    input,
    ...encodeToolFields(request, target),
    ...(ownChoice === undefined ? {} : { tool_choice: ownChoice }),
    ...unlessEmpty('reasoning', encodeReasoningRequest(request, target)),
    ...unlessEmpty('text', text),
    ...encodeSettings(request, target),
    ...encodeInclude(request, target, ownInclude),
    ...(store === undefined ? {} : { store }),
    ...(request.previousResponseId === undefined
      ? {}
      : { previous_response_id: request.previousResponseId }),
    stream: request.stream,
  }
  const { include: _include, tool_choice: _choice, ...rest } = putInner(body, own, HEADS)
  return { ...body, ...rest }
}
