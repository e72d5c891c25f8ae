import type { RequestTarget } from '../../conversion.ts'
import type {
  ExchangeRequest,
  FreeformTool,
  FunctionTool,
  HostedToolDefinition,
  ToolChoice,
  ToolDefinition,
} from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { wantedEffort } from '../../reasoning/effort.ts'
import { fitsStrict } from '../../schema/json-schema.ts'
import { openAiSchema } from '../../schema/openai-schema.ts'

/** The converted `tools`, and the names by which a choice may call them. */
interface EncodedTools {
  tools: JsonObject[]
  functions: Set<string>
  customs: Set<string>
  search: JsonObject | null
}

/** Chat's `strict` is false unless sent, while Responses tries for true: it is said where it is wanted. */
function strictOf(
  tool: FunctionTool,
  schema: JsonObject | null,
  request: ExchangeRequest,
  target: RequestTarget,
) {
  const { rules, loss } = target
  const at = tool.at ?? loss.field('tools')
  const wanted = tool.strict ?? (request.origin === 'responses' ? 'default' : undefined)
  if (request.origin === 'chat') return tool.strict
  if (wanted === undefined) return undefined
  if (!rules.strictTools) {
    if (tool.strict) loss.approximate(at, 'no_strict_tools')
    return undefined
  }
  const fits = schema !== null && fitsStrict(schema)
  if (wanted === 'default') return fits
  if (wanted && !fits) loss.approximate(at, 'schema_not_strict')
  return wanted && fits
}

function encodeFunction(tool: FunctionTool, request: ExchangeRequest, target: RequestTarget) {
  const { loss } = target
  const isOwn = request.origin === 'chat'
  // Kimi and others refuse a function without a schema (farion1231/cc-switch#4864).
  const schema = isOwn ? tool.schema : openAiSchema(tool.schema ?? {})
  const strict = strictOf(tool, schema, request, target)
  if (tool.cacheMark) {
    loss.drop(`${loss.field('tools')}.cache_control`, 'no_mark_on_tools')
  }
  return {
    ...loss.native(tool.native, 'chat', tool.at),
    type: 'function',
    function: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...(schema === null ? {} : { parameters: schema }),
      ...(strict === undefined ? {} : { strict }),
    },
  }
}

function encodeCustom(tool: FreeformTool, { loss }: RequestTarget): JsonObject {
  return {
    ...loss.native(tool.native, 'chat', tool.at),
    type: 'custom',
    custom: {
      name: tool.name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...(tool.grammar ? { format: { type: 'grammar', grammar: tool.grammar } } : {}),
    },
  }
}

/** The parts of another vendor's web search that Chat has a word for. */
function searchOptions(value: JsonObject): JsonObject {
  const location = asObject(value.user_location)
  const { type: _type, ...place } = asObject(location?.approximate) ?? location ?? {}
  const size = asString(value.search_context_size)
  return {
    ...(size === undefined ? {} : { search_context_size: size }),
    ...(Object.keys(place).length > 0
      ? { user_location: { type: 'approximate', approximate: place } }
      : {}),
  }
}

/** Is this the tool that has to be called? Then it cannot be left out. */
const isForced = (tool: HostedToolDefinition, choice: ToolChoice | undefined): boolean =>
  choice?.mode === 'one' &&
  choice.kind === 'hosted' &&
  [tool.name, asString(tool.value.name), tool.tool, tool.tool.replaceAll('-', '_')].includes(
    choice.name,
  )

function addHosted(
  tool: HostedToolDefinition,
  request: ExchangeRequest,
  target: RequestTarget,
  encoded: EncodedTools,
): void {
  const { rules, loss } = target
  const at = tool.at ?? loss.field('tools')
  if (tool.origin === 'chat') {
    if (tool.name === 'web_search_options') encoded.search = tool.value
    else encoded.tools.push(tool.value)
    return
  }
  if (tool.tool === 'web-search' && rules.hostedTools.includes('web-search')) {
    encoded.search = searchOptions(tool.value)
    loss.approximate(at, 'as_search_options')
    return
  }
  if (isForced(tool, request.toolChoice)) {
    loss.refuse(loss.field('toolChoice'), { code: 'forces_tool', name: tool.name })
  }
  loss.drop(at, 'no_such_tool')
}

function encodeAll(
  tools: readonly ToolDefinition[],
  request: ExchangeRequest,
  target: RequestTarget,
): EncodedTools {
  const encoded: EncodedTools = {
    tools: [],
    functions: new Set(),
    customs: new Set(),
    search: null,
  }
  for (const tool of tools) {
    if (tool.type === 'hosted') addHosted(tool, request, target, encoded)
    else if (tool.type === 'freeform') {
      encoded.tools.push(encodeCustom(tool, target))
      encoded.customs.add(tool.name)
    } else {
      encoded.tools.push(encodeFunction(tool, request, target))
      encoded.functions.add(tool.name)
    }
  }
  return encoded
}

/** A forced call that the model refuses becomes `auto`; some refuse it only while they think. */
function mayForce(request: ExchangeRequest, { rules, loss }: RequestTarget): boolean {
  const { reasoning } = request
  const thinks = reasoning !== undefined && wantedEffort(reasoning) !== 'none'
  if (rules.forcedTool === 'yes' || rules.forcedTool === 'unnamed') return true
  if (rules.forcedTool === 'without-thinking' && !thinks) return true
  loss.approximate(loss.field('toolChoice'), 'calls_unforced')
  return false
}

function encodeOne(
  choice: Extract<ToolChoice, { mode: 'one' }>,
  encoded: EncodedTools,
  request: ExchangeRequest,
  { loss }: RequestTarget,
): unknown {
  const { name, kind } = choice
  if (request.origin === 'chat' && kind === 'hosted') return { type: name }
  if (request.origin === 'chat') {
    const type = kind === 'freeform' ? 'custom' : 'function'
    return { type, [type]: { name } }
  }
  if (encoded.customs.has(name)) return { type: 'custom', custom: { name } }
  if (encoded.functions.has(name)) return { type: 'function', function: { name } }
  const path = loss.field('toolChoice')
  if (kind === 'hosted' && encoded.search) {
    loss.approximate(path, 'searches_always')
    return undefined
  }
  return loss.refuse(path, { code: 'names_tool_not_sent', name })
}

function encodeChoice(
  choice: ToolChoice,
  encoded: EncodedTools,
  request: ExchangeRequest,
  target: RequestTarget,
): unknown {
  if (choice.mode === 'auto' || choice.mode === 'none') return choice.mode
  if (choice.mode === 'some') {
    const named = (type: 'function' | 'custom') => (name: string) => ({ type, [type]: { name } })
    const mode = choice.isRequired && mayForce(request, target) ? 'required' : 'auto'
    if (request.origin !== 'chat' && !target.rules.openaiFields) return mode
    return {
      type: 'allowed_tools',
      allowed_tools: {
        mode,
        tools: choice.names.map((name) =>
          named(encoded.customs.has(name) ? 'custom' : 'function')(name),
        ),
      },
    }
  }
  if (!mayForce(request, target)) return 'auto'
  return choice.mode === 'one' ? encodeOne(choice, encoded, request, target) : 'required'
}

/** Where the model takes no name of a tool to call, that tool is the only one that it may call. */
function withoutName(request: ExchangeRequest, { rules }: RequestTarget): ExchangeRequest {
  const { toolChoice: choice, origin } = request
  const isNamed = choice?.mode === 'one' && choice.kind === 'function'
  if (!isNamed || rules.forcedTool !== 'unnamed' || origin === 'chat') return request
  return { ...request, toolChoice: { mode: 'some', names: [choice.name], isRequired: true } }
}

/** Where `allowed_tools` is not known, only those tools are sent. */
function allowedOnly(request: ExchangeRequest, { rules, loss }: RequestTarget): ToolDefinition[] {
  const { tools, toolChoice: choice } = request
  if (choice?.mode !== 'some' || request.origin === 'chat' || rules.openaiFields) return tools
  loss.approximate(loss.field('toolChoice'), 'only_allowed_tools')
  return tools.filter(({ name }) => choice.names.includes(name))
}

/**
 * The fields of a body that concern tools. Those that steer their use are only sent beside tools, without
 * which OpenAI refuses them.
 */
export function encodeTools(given: ExchangeRequest, target: RequestTarget): JsonObject {
  const request = withoutName(given, target)
  const encoded = encodeAll(allowedOnly(request, target), request, target)
  const { toolChoice, parallelCalls } = request
  const mustSearch = encoded.search && request.origin !== 'chat'
  if (mustSearch && (toolChoice?.mode === 'none' || toolChoice?.mode === 'required')) {
    const note = toolChoice.mode === 'none' ? 'search_left_out' : 'search_unforced'
    target.loss.approximate(target.loss.field('toolChoice'), note)
  }
  const searches = encoded.search && !(mustSearch && toolChoice?.mode === 'none')
  const fields: JsonObject = searches ? { web_search_options: encoded.search } : {}
  if (encoded.tools.length === 0) {
    if (toolChoice?.mode === 'required' || toolChoice?.mode === 'one') {
      // `encodeOne` refuses a tool that is not there.
      if (toolChoice.mode === 'one') encodeOne(toolChoice, encoded, request, target)
      else if (request.tools.length > 0 && !encoded.search) {
        target.loss.refuse(target.loss.field('toolChoice'), 'asks_for_call')
      }
    }
    if (request.origin !== 'chat' && parallelCalls === false)
      target.loss.drop(target.loss.field('parallelCalls'), 'upstream_gets_no_tools')
    return fields
  }
  fields.tools = encoded.tools
  if (toolChoice) {
    const choice = encodeChoice(toolChoice, encoded, request, target)
    if (choice !== undefined) fields.tool_choice = choice
  }
  // True is the default, and some models refuse the field whatever it says.
  if (request.origin === 'chat' ? parallelCalls !== undefined : parallelCalls === false) {
    if (request.origin === 'chat' || target.rules.parallelSwitch) {
      fields.parallel_tool_calls = parallelCalls
    } else target.loss.drop(target.loss.field('parallelCalls'), 'model_without_field')
  }
  return fields
}
