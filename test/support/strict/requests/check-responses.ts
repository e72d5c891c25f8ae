import type { IssuedStates } from '../answers/issued-state.ts'
import { checkNamedSchema, checkParameters } from './check-chat.ts'
import { checkResponsesItems } from './check-responses-items.ts'
import { openAiModel } from './openai-models.ts'
import {
  countFrom,
  demand,
  type Json,
  noneTwice,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  textAt,
} from './refusal.ts'

const FIELDS =
  'background context_management conversation include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user client_metadata'

const INCLUDES =
  'file_search_call.results web_search_call.results web_search_call.action.sources message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs'

/** Refuses what api.openai.com refuses in a body of POST /v1/responses. */
export function checkResponses(body: Json, issued: IssuedStates): void {
  onlyFields(body, '', FIELDS)
  const model = openAiModel(textAt(body.model, 'model'))
  if (body.instructions != null) textAt(body.instructions, 'instructions')
  if (body.max_output_tokens != null) countFrom(body.max_output_tokens, 'max_output_tokens', 16)
  checkSampling(body, model.sampling)
  checkReasoning(body, model.efforts)
  checkText(body.text)
  const names = checkTools(body)
  checkChoice(body, names)
  for (const [index, one] of (Array.isArray(body.include) ? body.include : []).entries()) {
    oneOf(one, `include[${index}]`, INCLUDES)
  }
  if (body.stream_options != null) {
    demand(body.stream === true, 'stream_options', 'only allowed when ‘stream’ is enabled')
    onlyFields(
      objectAt(body.stream_options, 'stream_options'),
      'stream_options',
      'include_obfuscation',
    )
  }
  if (body.store != null) demand(typeof body.store === 'boolean', 'store', 'expected a boolean')
  if (body.service_tier != null) {
    oneOf(body.service_tier, 'service_tier', 'auto default flex scale priority fast')
  }
  if (body.truncation != null) oneOf(body.truncation, 'truncation', 'auto disabled')
  for (const field of ['prompt_cache_key', 'safety_identifier']) {
    const value = body[field]
    if (value != null) {
      demand(textAt(value, field).length <= 64, field, 'string too long: at most 64 characters')
    }
  }
  checkResponsesItems(body, issued)
}

function checkSampling(body: Json, isTaken: boolean): void {
  const { temperature, top_p: topP, top_logprobs: top } = body
  if (temperature != null) {
    numberWithin(temperature, 'temperature', 0, 2)
    demand(
      isTaken,
      'temperature',
      'Unsupported parameter: ‘temperature’ is not supported with this model',
    )
  }
  if (topP != null) {
    numberWithin(topP, 'top_p', 0, 1)
    demand(isTaken, 'top_p', 'Unsupported parameter: ‘top_p’ is not supported with this model')
  }
  if (top != null) {
    numberWithin(top, 'top_logprobs', 0, 20)
    demand(isTaken, 'top_logprobs', 'Unsupported parameter with this model')
  }
}

function checkReasoning(body: Json, efforts: string): void {
  if (body.reasoning == null) return
  const reasoning = objectAt(body.reasoning, 'reasoning')
  onlyFields(reasoning, 'reasoning', 'effort summary generate_summary context mode')
  demand(
    efforts !== '',
    'reasoning',
    'Unsupported parameter: ‘reasoning’ is not supported with this model',
  )
  if (reasoning.effort != null) oneOf(reasoning.effort, 'reasoning.effort', efforts)
  if (reasoning.summary != null) {
    oneOf(reasoning.summary, 'reasoning.summary', 'auto concise detailed')
  }
}

function checkText(value: unknown): void {
  if (value == null) return
  const text = objectAt(value, 'text')
  onlyFields(text, 'text', 'format verbosity')
  if (text.verbosity != null) oneOf(text.verbosity, 'text.verbosity', 'low medium high')
  if (text.format == null) return
  const format = objectAt(text.format, 'text.format')
  const type = oneOf(format.type, 'text.format.type', 'text json_object json_schema')
  if (type !== 'json_schema') onlyFields(format, 'text.format', 'type')
  else checkNamedSchema(format, 'text.format', 'type name description schema strict')
}

const HOSTED =
  'web_search web_search_2025_08_26 web_search_preview file_search code_interpreter image_generation computer mcp shell local_shell apply_patch tool_search programmatic_tool_calling'

/** Gives the names of what can be called. */
function checkTools(body: Json): string[] {
  if (body.tools == null) return []
  const tools = objectsAt(body.tools, 'tools')
  const names = tools.flatMap((tool, index) => checkTool(tool, `tools[${index}]`))
  noneTwice(names, 'tools', 'Tool names')
  return names
}

function checkTool(tool: Json, path: string): string[] {
  const type = oneOf(tool.type, `${path}.type`, `function custom namespace ${HOSTED}`)
  if (type === 'function') {
    onlyFields(
      tool,
      path,
      'type name description parameters strict allowed_callers defer_loading output_schema async',
    )
    checkName(tool.name, `${path}.name`)
    demand('parameters' in tool, `${path}.parameters`, 'Missing required parameter')
    // Strict is what this endpoint takes an absent sign for.
    if (tool.parameters !== null) {
      checkParameters({ ...tool, strict: tool.strict ?? true }, `${path}.parameters`)
    }
    return [String(tool.name)]
  }
  if (type === 'custom') {
    onlyFields(tool, path, 'type name description format allowed_callers defer_loading')
    checkName(tool.name, `${path}.name`)
    return [String(tool.name)]
  }
  if (type !== 'namespace') return []
  onlyFields(tool, path, 'type name description tools')
  checkName(tool.name, `${path}.name`)
  textAt(tool.description, `${path}.description`)
  const inner = objectsAt(tool.tools, `${path}.tools`)
  return inner
    .flatMap((one, index) => checkTool({ strict: false, ...one }, `${path}.tools[${index}]`))
    .map((name) => `${tool.name}.${name}`)
}

const checkName = (name: unknown, path: string): void =>
  demand(
    /^[a-zA-Z0-9_-]{1,64}$/.test(textAt(name, path)),
    path,
    'Expected a string that matches the pattern ‘^[a-zA-Z0-9_-]+$’ and is at most 64 long',
  )

function checkChoice(body: Json, names: readonly string[]): void {
  const { tool_choice: choice, parallel_tool_calls: parallel } = body
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0
  if (parallel != null) {
    demand(typeof parallel === 'boolean', 'parallel_tool_calls', 'expected a boolean')
    const { parallelSwitch } = openAiModel(String(body.model))
    demand(parallelSwitch, 'parallel_tool_calls', 'is not supported with this model')
  }
  if (choice == null) return
  if (typeof choice === 'string') {
    oneOf(choice, 'tool_choice', 'none auto required')
    demand(choice !== 'required' || hasTools, 'tool_choice', 'must not be ‘required’ without tools')
    return
  }
  const one = objectAt(choice, 'tool_choice')
  if (one.type !== 'function' && one.type !== 'custom') return
  onlyFields(one, 'tool_choice', 'type name')
  demand(
    names.includes(String(one.name)),
    'tool_choice',
    `Tool choice ‘${one.name}’ not found in ‘tools’ parameter`,
  )
}
