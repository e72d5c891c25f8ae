import type {
  ExchangeRequest,
  FreeformTool,
  FunctionTool,
  HostedTool,
  HostedToolDefinition,
  ToolChoice,
  ToolDefinition,
} from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import type { Loss } from '../../loss.ts'
import type { ModelRules } from '../../model/model-rules.ts'
import { fitsStrict } from '../../schema/json-schema.ts'
import { openAiSchema } from '../../schema/openai-schema.ts'
import { noteLostOptions } from '../../tools/hosted-options.ts'
import { clientToolNamed, definitionOf } from '../client-tools.ts'
import { expandFields, keptFields } from '../own-fields.ts'

interface ToolContext {
  rules: ModelRules
  loss: Loss
  /** The client speaks this format: its tools go back as they were. */
  isOwn: boolean
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

const described = (description: string | undefined): JsonObject =>
  description === undefined ? {} : { description }

/** A tool's own kept fields, without those of its namespace. */
function ownFields(tool: ToolDefinition, { loss }: ToolContext): JsonObject {
  return expandFields(loss.native(tool.native, 'responses', tool.at)).top
}

/** Said always to another format's tools: this format's default is not the others'. */
function strictOf(
  tool: FunctionTool,
  schema: JsonObject,
  { rules, loss, isOwn }: ToolContext,
): JsonObject {
  if (isOwn) return tool.strict === undefined ? {} : { strict: tool.strict }
  if (!tool.strict || !rules.strictTools) return { strict: false }
  const fits = tool.schema !== null && fitsStrict(schema)
  if (!fits && tool.schema !== null) {
    loss.approximate(tool.at ?? loss.field('tools'), 'schema_not_strict')
  }
  return { strict: fits }
}

function encodeFunction(tool: FunctionTool, context: ToolContext): JsonObject {
  const definition = definitionOf(tool)
  if (definition) return definition
  const original = tool.schema ?? NO_ARGUMENTS
  const schema = context.isOwn ? original : openAiSchema(original)
  return {
    type: 'function',
    name: tool.name,
    ...described(tool.description),
    parameters: schema,
    ...strictOf(tool, schema, context),
    ...ownFields(tool, context),
  }
}

const encodeFreeform = (tool: FreeformTool, context: ToolContext): JsonObject => ({
  type: 'custom',
  name: tool.name,
  ...described(tool.description),
  ...(tool.grammar ? { format: { type: 'grammar', ...tool.grammar } } : {}),
  ...ownFields(tool, context),
})

const searchWords = ['allowed_domains', 'user_location', 'search_context_size']

/** The parts of another vendor's web search that have a word here. */
function searchOptions(value: JsonObject): JsonObject {
  const search = asObject(value.googleSearch) ?? asObject(value.web_search) ?? value
  const allowed = asArray(search.allowed_domains)
  const location = asObject(search.user_location)
  const place = asObject(location?.approximate) ?? location
  const words = ['city', 'country', 'region', 'timezone'].flatMap((name) => {
    const word = asString(place?.[name])
    return word ? [[name, word] as const] : []
  })
  const size = asString(search.search_context_size)
  return {
    ...(allowed.length > 0 ? { filters: { allowed_domains: allowed } } : {}),
    ...(words.length > 0
      ? { user_location: { type: 'approximate', ...Object.fromEntries(words) } }
      : {}),
    ...(size === undefined ? {} : { search_context_size: size }),
  }
}

/** Those of the vendor's tools that other vendors have too. */
const equals: Readonly<Partial<Record<HostedTool, (value: JsonObject) => JsonObject>>> = {
  'web-search': (value) => ({ type: 'web_search', ...searchOptions(value) }),
  'code-execution': () => ({ type: 'code_interpreter', container: { type: 'auto' } }),
}

/** A hosted tool as this vendor has it; null where it has none. */
function equalOf(tool: HostedToolDefinition, rules: ModelRules): JsonObject | null {
  if (tool.origin === 'responses') return tool.value
  const equal = equals[tool.tool]
  return equal && rules.hostedTools.includes(tool.tool) ? equal(tool.value) : null
}

function encodeHosted(tool: HostedToolDefinition, { rules, loss }: ToolContext): JsonObject | null {
  const equal = equalOf(tool, rules)
  if (!equal) loss.drop(tool.at ?? loss.field('tools'), 'no_such_tool')
  else if (tool.origin !== 'responses') {
    noteLostOptions(tool, tool.tool === 'web-search' ? searchWords : [], loss)
  }
  return equal
}

function encodeTool(tool: ToolDefinition, context: ToolContext): JsonObject | null {
  if (tool.type === 'function') return encodeFunction(tool, context)
  if (tool.type === 'freeform') return encodeFreeform(tool, context)
  return encodeHosted(tool, context)
}

/** Tools as the vendor takes them: flat, and neighbours of one namespace inside it. */
export function encodeTools(tools: readonly ToolDefinition[], context: ToolContext): JsonObject[] {
  const encoded: JsonObject[] = []
  let space = null as { name: string; tools: JsonObject[] } | null
  for (const tool of tools) {
    const { loss } = context
    if (tool.cacheMark) {
      loss.approximate(tool.at ?? loss.field('tools'), 'no_mark_on_tools')
    }
    const one = encodeTool(tool, context)
    if (!one) continue
    const namespace = tool.type === 'hosted' ? undefined : tool.namespace
    if (namespace === undefined) {
      space = null
      encoded.push(one)
      continue
    }
    if (space?.name !== namespace) {
      const about = expandFields(keptFields(tool.native)).within.namespace ?? {}
      space = { name: namespace, tools: [] }
      const description = asString(about.description) ?? `Tools of ${namespace}.`
      encoded.push({
        type: 'namespace',
        name: namespace,
        ...about,
        description,
        tools: space.tools,
      })
    }
    space.tools.push(one)
  }
  return encoded
}

/** A tool as a choice names it; null for one that this vendor does not have. */
function chosen(tool: ToolDefinition, rules: ModelRules): JsonObject | null {
  if (tool.type === 'hosted') {
    const equal = equalOf(tool, rules)
    return equal && { type: equal.type }
  }
  const definition = definitionOf(tool)
  if (definition) return { type: definition.type }
  return { type: tool.type === 'freeform' ? 'custom' : 'function', name: tool.name }
}

/** Is a hosted tool of another vendor meant by this name, which may be its own or its type? */
const isNamed = (tool: ToolDefinition, name: string): boolean =>
  tool.name === name || (tool.type === 'hosted' && tool.value.name === name)

function encodeOne(
  choice: Extract<ToolChoice, { mode: 'one' }>,
  request: ExchangeRequest,
  { rules, loss }: Pick<ToolContext, 'rules' | 'loss'>,
): unknown {
  const tool = request.tools.find((one) => isNamed(one, choice.name))
  if (tool?.type === 'hosted' || (choice.kind === 'hosted' && !tool)) {
    const isOwn = request.origin === 'responses'
    const one = tool ? chosen(tool, rules) : isOwn && { type: choice.name }
    if (one) return one
    return loss.refuse(loss.field('toolChoice'), { code: 'demands_tool', name: choice.name })
  }
  if (clientToolNamed(choice.name, request.tools)) return { type: choice.name }
  return { type: choice.kind === 'freeform' ? 'custom' : 'function', name: choice.name }
}

/** `tool_choice`; undefined where there is none to send. */
export function encodeToolChoice(
  request: ExchangeRequest,
  context: Pick<ToolContext, 'rules' | 'loss'>,
): unknown {
  const { toolChoice } = request
  if (!toolChoice) return undefined
  const { rules, loss } = context
  const isForced = toolChoice.mode === 'required' || toolChoice.mode === 'one'
  const effort = request.reasoning?.effort
  const thinks = rules.thinking !== 'none' && effort !== 'none' && request.reasoning?.mode !== 'off'
  const isTaken = rules.forcedTool === 'yes' || (rules.forcedTool === 'without-thinking' && !thinks)
  if (isForced && !isTaken && request.origin !== 'responses') {
    loss.approximate(loss.field('toolChoice'), 'calls_may')
    return 'auto'
  }
  if (toolChoice.mode === 'one') return encodeOne(toolChoice, request, context)
  if (toolChoice.mode !== 'some') return toolChoice.mode
  const tools = toolChoice.names.flatMap((name): JsonObject[] => {
    const tool = request.tools.find((one) => isNamed(one, name))
    const one = tool ? chosen(tool, rules) : { type: 'function', name }
    return one ? [one] : []
  })
  return { type: 'allowed_tools', mode: toolChoice.isRequired ? 'required' : 'auto', tools }
}
