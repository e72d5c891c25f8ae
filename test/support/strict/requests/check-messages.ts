import type { IssuedStates } from '../answers/issued-state.ts'
import { checkMessagesTurns } from './check-messages-turns.ts'
import { type ClaudeModel, claudeModel } from './claude-models.ts'
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
import { checkAnthropicOutput, checkInputSchema } from './schema-rules.ts'
import { BINDING_BETA, checkBinding } from './thought-binding.ts'

const FIELDS =
  'model max_tokens messages cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p user_profile_id workspace_id'

/** Fields that stand only beside their beta header. */
const BETA_FIELDS: Readonly<Record<string, string>> = {
  context_management: 'context-management-2025-06-27',
  mcp_servers: 'mcp-client-2025-11-20',
  output_format: 'structured-outputs-2025-11-13',
}

const SERVER_TOOL =
  /^(?:web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25)|bash|text_editor|memory|computer_toolset|browser_toolset)_\d{8}$/

/** Refuses what api.anthropic.com refuses in a body of POST /v1/messages. */
export function checkMessages(
  body: Json,
  headers: Readonly<Record<string, unknown>>,
  issued: IssuedStates,
): void {
  demand(headers['anthropic-version'], 'anthropic-version', 'header is required')
  const betas = String(headers['anthropic-beta'] ?? '').split(',')
  const allowed = Object.entries(BETA_FIELDS).filter(([, beta]) => betas.includes(beta))
  onlyFields(body, '', [FIELDS, ...allowed.map(([field]) => field)].join(' '))
  const model = claudeModel(textAt(body.model, 'model'))
  const maxTokens = countFrom(body.max_tokens, 'max_tokens', 0)
  demand(
    maxTokens <= model.maxOutput,
    'max_tokens',
    `${maxTokens} > ${model.maxOutput}, which is the maximum allowed number of output tokens`,
  )
  const thinks = checkThinking(body, model, maxTokens, betas)
  checkSampling(body, model, thinks)
  checkTools(body, model, thinks)
  checkSmallFields(body)
  checkMessagesTurns(body, model, thinks, issued)
  if (model.boundThoughts) checkBinding(body, mayDropThoughts(body), issued)
  checkCacheMarks(body)
}

/** Refuses bad thinking and effort; is thinking on? */
function checkThinking(
  body: Json,
  model: ClaudeModel,
  maxTokens: number,
  betas: readonly string[],
): boolean {
  const config =
    body.output_config === undefined ? {} : objectAt(body.output_config, 'output_config')
  onlyFields(config, 'output_config', 'effort format')
  const { effort, format } = config
  if (effort !== undefined) {
    demand(model.efforts !== '', 'output_config.effort', 'This model does not support effort')
    oneOf(effort, 'output_config.effort', model.efforts)
  }
  if (format !== undefined) {
    demand(model.structuredOutput, 'output_config.format', 'not supported by this model')
    const shape = objectAt(format, 'output_config.format')
    onlyFields(shape, 'output_config.format', 'type schema')
    oneOf(shape.type, 'output_config.format.type', 'json_schema')
    checkAnthropicOutput(shape.schema, 'output_config.format.schema')
  }
  if (body.thinking === undefined) return model.thinkingOff !== 'yes' && model.adaptive
  const thinking = objectAt(body.thinking, 'thinking')
  const type = oneOf(thinking.type, 'thinking.type', 'enabled adaptive disabled between_tools')
  if (type === 'enabled') {
    onlyFields(thinking, 'thinking', 'type budget_tokens display')
    demand(
      model.budget,
      'thinking.type',
      '“thinking.type.enabled” is not supported for this model. Use “thinking.type.adaptive” and “output_config.effort”',
    )
    const budget = countFrom(thinking.budget_tokens, 'thinking.budget_tokens', 1024)
    demand(
      budget < maxTokens,
      'max_tokens',
      '`max_tokens` must be greater than `thinking.budget_tokens`',
    )
    return true
  }
  if (type === 'adaptive') {
    const more = betas.includes(BINDING_BETA) ? ' block_binding' : ''
    onlyFields(thinking, 'thinking', `type display${more}`)
    demand(model.adaptive, 'thinking.type', 'adaptive thinking is not supported on this model')
    if (thinking.display != null) oneOf(thinking.display, 'thinking.display', 'summarized omitted')
    return true
  }
  onlyFields(thinking, 'thinking', 'type')
  if (type === 'between_tools') {
    demand(model.thinkingOff === 'between-tools', 'thinking.type', 'not supported by this model')
    return false
  }
  const isHigh = effort === 'xhigh' || effort === 'max'
  const mayBeOff = model.thinkingOff === 'yes' || (model.thinkingOff === 'up-to-high' && !isHigh)
  demand(mayBeOff, 'thinking.type', 'thinking cannot be disabled on this model')
  return false
}

/** Does the request ask to leave out thoughts whose prefix has changed? */
function mayDropThoughts({ thinking }: Json): boolean {
  const binding = isObject(thinking) ? thinking.block_binding : undefined
  if (binding == null) return false
  const { prefix_mismatch_behavior: behavior } = objectAt(binding, 'thinking.block_binding')
  const path = 'thinking.block_binding.prefix_mismatch_behavior'
  return oneOf(behavior ?? 'error', path, 'error drop_block') === 'drop_block'
}

function checkSampling(body: Json, model: ClaudeModel, thinks: boolean): void {
  const { temperature, top_p: topP, top_k: topK } = body
  if (temperature !== undefined) {
    numberWithin(temperature, 'temperature', 0, 1)
    demand(
      model.sampling || temperature === 1,
      'temperature',
      '`temperature` is deprecated for this model',
    )
    demand(
      !thinks || temperature === 1,
      'temperature',
      '`temperature` may only be set to 1 when thinking is enabled',
    )
  }
  if (topP !== undefined) {
    numberWithin(topP, 'top_p', 0, 1)
    const isFree = Number(topP) >= 0.99
    demand(model.sampling || isFree, 'top_p', '`top_p` is deprecated for this model')
    demand(
      temperature === undefined || model.bothSampling || !model.sampling,
      'top_p',
      '`temperature` and `top_p` cannot both be specified for this model',
    )
    demand(!thinks || Number(topP) >= 0.95, 'top_p', '`top_p` must be at least 0.95 with thinking')
  }
  if (topK !== undefined) {
    countFrom(topK, 'top_k', 0)
    demand(model.sampling, 'top_k', '`top_k` is deprecated for this model')
    demand(!thinks, 'top_k', '`top_k` must be unset when thinking is enabled')
  }
}

function checkTools(body: Json, model: ClaudeModel, thinks: boolean): void {
  const tools = body.tools === undefined ? [] : objectsAt(body.tools, 'tools')
  for (const [index, tool] of tools.entries()) checkTool(tool, `tools[${index}]`)
  const names = tools.map((tool) => tool.name)
  noneTwice(names, 'tools', 'Tool names')
  if (body.tool_choice === undefined) return
  const choice = objectAt(body.tool_choice, 'tool_choice')
  const type = oneOf(choice.type, 'tool_choice.type', 'auto any tool none')
  demand(tools.length > 0, 'tool_choice', 'may only be specified while providing tools')
  const fields: Readonly<Record<string, string>> = {
    none: 'type',
    tool: 'type name disable_parallel_tool_use',
  }
  onlyFields(choice, 'tool_choice', fields[type] ?? 'type disable_parallel_tool_use')
  if (type === 'tool') {
    demand(
      names.includes(choice.name),
      'tool_choice.name',
      `Tool “${choice.name}” not found in provided tools`,
    )
  }
  if (type !== 'any' && type !== 'tool') return
  demand(
    model.forcedTool !== 'no',
    'tool_choice',
    'tool_choice forcing tool use is not supported by this model',
  )
  demand(
    model.forcedTool === 'yes' || !thinks,
    'tool_choice',
    'Thinking may not be enabled when tool_choice forces tool use',
  )
}

function checkTool(tool: Json, path: string): void {
  if (tool.type !== undefined && tool.type !== 'custom' && tool.type !== null) {
    demand(SERVER_TOOL.test(String(tool.type)), `${path}.type`, `Unknown tool type “${tool.type}”`)
    return
  }
  onlyFields(
    tool,
    path,
    'name description input_schema type strict defer_loading eager_input_streaming input_examples allowed_callers cache_control',
  )
  const name = textAt(tool.name, `${path}.name`)
  demand(
    /^[a-zA-Z0-9_-]{1,128}$/.test(name),
    `${path}.name`,
    'String should match pattern ‘^[a-zA-Z0-9_-]{1,128}$’',
  )
  if ('description' in tool) textAt(tool.description, `${path}.description`)
  checkInputSchema(tool.input_schema, `${path}.input_schema`)
  if (tool.strict === true) checkAnthropicOutput(tool.input_schema, `${path}.input_schema`)
}

function checkSmallFields(body: Json): void {
  const { stop_sequences: stops, metadata, system, service_tier: tier, stream, speed } = body
  if (stops !== undefined) {
    demand(Array.isArray(stops), 'stop_sequences', 'Input should be an array')
    for (const stop of stops) {
      demand(
        typeof stop === 'string' && stop.trim() !== '',
        'stop_sequences',
        'each stop sequence must contain non-whitespace',
      )
    }
  }
  if (metadata !== undefined) {
    const value = objectAt(metadata, 'metadata')
    onlyFields(value, 'metadata', 'user_id')
    demand(
      String(value.user_id ?? '').length <= 512,
      'metadata.user_id',
      'String should have at most 512 characters',
    )
  }
  if (tier !== undefined) oneOf(tier, 'service_tier', 'auto standard_only')
  if (speed != null) oneOf(speed, 'speed', 'standard fast')
  if (stream !== undefined)
    demand(typeof stream === 'boolean', 'stream', 'Input should be a boolean')
  if (Array.isArray(system)) {
    for (const [index, block] of objectsAt(system, 'system').entries()) {
      onlyFields(block, `system[${index}]`, 'type text cache_control citations')
      oneOf(block.type, `system[${index}].type`, 'text')
      demand(
        textAt(block.text, `system[${index}].text`).trim() !== '',
        `system[${index}].text`,
        'text content blocks must be non-empty',
      )
    }
  } else if (system !== undefined) textAt(system, 'system')
}

/** At most four marks, each well-formed, longer times before shorter ones. */
function checkCacheMarks(body: Json): void {
  const times: string[] = []
  const look = (value: unknown, path: string): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, `${path}[${index}]`)
    } else if (isObject(value)) {
      const mark = value.cache_control
      if (mark != null) {
        const known = objectAt(mark, `${path}.cache_control`)
        onlyFields(known, `${path}.cache_control`, 'type ttl')
        oneOf(known.type, `${path}.cache_control.type`, 'ephemeral')
        times.push(oneOf(known.ttl ?? '5m', `${path}.cache_control.ttl`, '5m 1h'))
        const isThought = value.type === 'thinking' || value.type === 'redacted_thinking'
        demand(!isThought, `${path}.cache_control`, 'cannot be set on thinking blocks')
      }
      if (Array.isArray(value.content)) look(value.content, `${path}.content`)
    }
  }
  for (const field of ['tools', 'system', 'messages']) look(body[field], field)
  if (body.cache_control != null) times.push('5m')
  if (times.length > 4) {
    refuse(
      'cache_control',
      `A maximum of 4 blocks with cache_control may be provided. Found ${times.length}.`,
    )
  }
  const firstShort = times.indexOf('5m')
  demand(
    firstShort < 0 || times.lastIndexOf('1h') < firstShort,
    'cache_control.ttl',
    'a ttl=‘1h’ cache_control block must not come after a ttl=‘5m’ one',
  )
}
