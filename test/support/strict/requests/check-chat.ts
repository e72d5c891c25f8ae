import type { IssuedStates } from '../answers/issued-state.ts'
import { checkChatMessages } from './check-chat-messages.ts'
import { type OpenAiModel, openAiModel } from './openai-models.ts'
import {
  countFrom,
  demand,
  isObject,
  type Json,
  noneTwice,
  numberWithin,
  objectAt,
  objectsAt,
  oneOf,
  onlyFields,
  refuse,
  textAt,
} from './refusal.ts'
import { checkItems, checkStrictSchema } from './schema-rules.ts'

const FIELDS =
  'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'

/** The fields that compatible vendors take. */
const COMPATIBLE_FIELDS = `${FIELDS} top_k thinking enable_thinking`

/** Refuses what OpenAI (or a strict compatible vendor, by the model) refuses at /chat/completions. */
export function checkChat(body: Json, issued: IssuedStates): void {
  const model = openAiModel(textAt(body.model, 'model'))
  onlyFields(body, '', model.isOpenAi ? FIELDS : COMPATIBLE_FIELDS)
  checkLimits(body, model)
  checkSampling(body, model)
  checkTools(body)
  checkFormat(body.response_format)
  checkChatMessages(body, model, issued)
  const { stream, stream_options: options, reasoning_effort: effort } = body
  if (options != null) {
    demand(
      stream === true,
      'stream_options',
      'The ‘stream_options’ parameter is only allowed when ‘stream’ is enabled',
    )
    onlyFields(
      objectAt(options, 'stream_options'),
      'stream_options',
      'include_usage include_obfuscation',
    )
  }
  if (effort != null) {
    demand(
      model.efforts !== '',
      'reasoning_effort',
      'Unrecognized request argument supplied: reasoning_effort',
    )
    oneOf(effort, 'reasoning_effort', model.efforts)
  }
  if (body.service_tier != null)
    oneOf(body.service_tier, 'service_tier', 'auto default flex scale priority fast')
  if (body.verbosity != null) oneOf(body.verbosity, 'verbosity', 'low medium high')
  checkBesideTools(body, model)
  if (body.metadata != null) {
    const metadata = objectAt(body.metadata, 'metadata')
    demand(Object.keys(metadata).length <= 16, 'metadata', 'at most 16 keys')
    for (const value of Object.values(metadata)) {
      demand(
        typeof value === 'string' && value.length <= 512,
        'metadata',
        'values: strings of at most 512 characters',
      )
    }
  }
  for (const field of ['prompt_cache_key', 'safety_identifier']) {
    const value = body[field]
    if (value != null)
      demand(textAt(value, field).length <= 64, field, 'string too long: at most 64 characters')
  }
}

function checkLimits(body: Json, model: OpenAiModel): void {
  const { max_tokens: old, max_completion_tokens: current } = body
  if (old != null) {
    countFrom(old, 'max_tokens', 1)
    demand(
      model.maxTokens !== 'max_completion_tokens',
      'max_tokens',
      'Unsupported parameter: ‘max_tokens’ is not supported with this model. Use ‘max_completion_tokens’ instead',
    )
  }
  if (current != null) {
    countFrom(current, 'max_completion_tokens', 1)
    demand(model.maxTokens !== 'max_tokens', 'max_completion_tokens', 'Unknown parameter')
    demand(
      old == null,
      'max_tokens',
      'Setting ‘max_tokens’ and ‘max_completion_tokens’ at the same time is not supported',
    )
  }
}

function checkSampling(body: Json, model: OpenAiModel): void {
  const { temperature, top_p: topP, stop, n, logprobs, top_logprobs: top } = body
  if (temperature != null) {
    numberWithin(temperature, 'temperature', 0, 2)
    demand(
      model.sampling || temperature === 1,
      'temperature',
      'Unsupported value: only the default (1) value is supported',
    )
  }
  if (topP != null) {
    numberWithin(topP, 'top_p', 0, 1)
    demand(model.sampling || topP === 1, 'top_p', 'Unsupported parameter with this model')
  }
  for (const field of ['presence_penalty', 'frequency_penalty']) {
    if (body[field] == null) continue
    numberWithin(body[field], field, -2, 2)
    demand(model.sampling, field, 'Unsupported parameter with this model')
  }
  if (stop != null) {
    const list = Array.isArray(stop) ? stop : [stop]
    demand(
      list.every((one) => typeof one === 'string' && one !== ''),
      'stop',
      'Invalid stop',
    )
    demand(list.length <= 4, 'stop', 'array too long: at most 4')
    demand(model.sampling, 'stop', 'Unsupported parameter with this model')
  }
  if (n != null) countFrom(n, 'n', 1)
  if (top != null) {
    numberWithin(top, 'top_logprobs', 0, 20)
    demand(
      logprobs === true,
      'top_logprobs',
      'logprobs must be set to true if top_logprobs is used',
    )
  }
  if (logprobs === true || isObject(body.logit_bias)) {
    demand(model.sampling, 'logprobs', 'Unsupported parameter with this model')
  }
}

/** Fields that some models refuse together with functions. */
function checkBesideTools(
  body: Json,
  { effortWithTools: rule, parallelSwitch, thinksUnasked }: OpenAiModel,
): void {
  const { tool_choice: choice, thinking, enable_thinking: enabled } = body
  const isOff = enabled === false || (isObject(thinking) && thinking.type === 'disabled')
  demand(
    !thinksUnasked || isOff || choice == null || choice === 'auto' || choice === 'none',
    'tool_choice',
    'Thinking mode does not support this tool_choice',
  )
  demand(
    !isOff || body.reasoning_effort == null,
    'thinking',
    'thinking options type cannot be disabled when reasoning_effort is set',
  )
  const unsupported = 'is not supported with this model'
  const { parallel_tool_calls: parallel, reasoning_effort: effort } = body
  demand(parallel == null || parallelSwitch, 'parallel_tool_calls', unsupported)
  if (!Array.isArray(body.tools) || body.tools.length === 0 || rule === 'any') return
  const isTaken = rule === 'none' ? effort === 'none' : effort == null
  demand(isTaken, 'reasoning_effort', `Function tools with reasoning_effort: ${unsupported}`)
}

function checkTools(body: Json): void {
  const { tools: given, tool_choice: choice, parallel_tool_calls: parallel } = body
  if (given === undefined) {
    demand(
      parallel == null,
      'parallel_tool_calls',
      '‘parallel_tool_calls’ is only allowed when ‘tools’ are specified',
    )
    demand(
      choice == null,
      'tool_choice',
      '‘tool_choice’ is only allowed when ‘tools’ are specified',
    )
    return
  }
  const tools = objectsAt(given, 'tools')
  demand(tools.length > 0, 'tools', '[] is too short')
  demand(tools.length <= 128, 'tools', 'array too long: at most 128')
  const names = tools.map((tool, index) => checkTool(tool, `tools[${index}]`))
  noneTwice(names, 'tools', 'Tool names')
  if (choice == null || typeof choice === 'string') {
    if (choice != null) oneOf(choice, 'tool_choice', 'none auto required')
    return
  }
  const one = objectAt(choice, 'tool_choice')
  const type = oneOf(one.type, 'tool_choice.type', 'function custom allowed_tools')
  onlyFields(one, 'tool_choice', `type ${type}`)
  const inner = objectAt(one[type], `tool_choice.${type}`)
  if (type === 'allowed_tools') {
    onlyFields(inner, 'tool_choice.allowed_tools', 'mode tools')
    return
  }
  onlyFields(inner, `tool_choice.${type}`, 'name')
  demand(
    names.includes(String(inner.name)),
    'tool_choice',
    `Tool choice ‘${inner.name}’ not found in ‘tools’`,
  )
}

function checkTool(tool: Json, path: string): string {
  const type = oneOf(tool.type, `${path}.type`, 'function custom')
  onlyFields(tool, path, `type ${type}`)
  const inner = objectAt(tool[type], `${path}.${type}`)
  onlyFields(
    inner,
    `${path}.${type}`,
    type === 'function' ? 'name description parameters strict' : 'name description format',
  )
  const name = textAt(inner.name, `${path}.${type}.name`)
  demand(
    /^[a-zA-Z0-9_-]{1,64}$/.test(name),
    `${path}.${type}.name`,
    'string does not match pattern ‘^[a-zA-Z0-9_-]{1,64}$’',
  )
  if (inner.description !== undefined) textAt(inner.description, `${path}.${type}.description`)
  if (inner.parameters !== undefined) checkParameters(inner, `${path}.function.parameters`)
  return name
}

/** Used by both of OpenAI's formats. */
export function checkParameters(tool: Json, path: string): void {
  const schema = objectAt(tool.parameters, path)
  if (tool.strict === true) checkStrictSchema(schema, path)
  if (Object.keys(schema).length === 0) return
  demand(schema.properties !== undefined, path, 'object schema missing properties')
  checkItems(schema, path)
  demand(
    schema.type === 'object',
    path,
    `Invalid schema for function ‘${tool.name}’: schema must be a JSON Schema of ‘type: "object"’`,
  )
  const properties = schema.properties
  demand(
    properties === undefined || isObject(properties),
    path,
    'object schema: properties must be an object',
  )
}

function checkFormat(format: unknown): void {
  if (format == null) return
  const shape = objectAt(format, 'response_format')
  const type = oneOf(shape.type, 'response_format.type', 'text json_object json_schema')
  onlyFields(shape, 'response_format', type === 'json_schema' ? 'type json_schema' : 'type')
  if (type !== 'json_schema') return
  const inner = objectAt(shape.json_schema, 'response_format.json_schema')
  checkNamedSchema(inner, 'response_format.json_schema', 'name description schema strict')
}

/** Used by both of OpenAI's formats. */
export function checkNamedSchema(value: Json, path: string, fields: string): void {
  onlyFields(value, path, fields)
  demand(
    /^[a-zA-Z0-9_-]{1,64}$/.test(textAt(value.name, `${path}.name`)),
    `${path}.name`,
    'string does not match pattern',
  )
  if (!isObject(value.schema)) refuse(`${path}.schema`, 'Missing required parameter')
  if (value.strict === true) checkStrictSchema(value.schema, `${path}.schema`)
}
