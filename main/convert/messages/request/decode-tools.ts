import { refuse } from '../../check/check-request.ts'
import type { ToolChoice, ToolDefinition } from '../../exchange.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { readCacheMark } from '../decode-block.ts'
import { hostedToolName, hostedToolOf } from '../hosted-tools.ts'
import { ownFields } from '../own-fields.ts'

const knownOfTool = new Set([
  ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'],
])

/** `tools`: the client's own with a schema, and the vendor's by their type. */
export function decodeTools(value: unknown): ToolDefinition[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) refuse('tools', 'must_be_array')
  return value.map((item, index) => {
    const at = `tools[${index}]`
    const tool = asObject(item)
    if (!tool) refuse(at, 'must_be_object')
    return decodeTool(tool, at)
  })
}

/**
 * Tools that the conversation itself brings (Anthropic's beta `inline-tools-2026-09-15`, Claude Code for servers that
 * come late), of each name the last. A model elsewhere knows only the tools of its list.
 */
export function inlineTools(messages: unknown): ToolDefinition[] {
  const tools = new Map<unknown, ToolDefinition>()
  for (const [turn, message] of asArray(messages).entries()) {
    for (const [place, item] of asArray(asObject(message)?.content).entries()) {
      const block = asObject(item)
      const tool = block?.type === 'tool_addition' ? asObject(block.tool) : undefined
      const definition = tool?.type === 'tool_definition' ? asObject(tool.definition) : undefined
      if (!definition) continue
      const at = `messages[${turn}].content[${place}].tool.definition`
      tools.set(definition.name ?? at, decodeTool(definition, at))
    }
  }
  return [...tools.values()]
}

/** Is the tool one of the conversation's own? */
export const isInline = ({ at }: ToolDefinition): boolean => at?.startsWith('messages[') === true

function decodeTool(tool: Record<string, unknown>, at: string): ToolDefinition {
  const type = asString(tool.type) ?? 'custom'
  if (type !== 'custom') {
    return {
      type: 'hosted',
      tool: hostedToolOf(type),
      name: type,
      origin: 'messages',
      value: tool,
      at,
      ...readCacheMark(tool),
    }
  }
  const name = asString(tool.name)
  if (name === undefined || name === '') refuse(`${at}.name`, 'tool_name_required')
  const description = asString(tool.description)
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    schema: asObject(tool.input_schema) ?? null,
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
    at,
    ...readCacheMark(tool),
    ...ownFields(tool, knownOfTool),
  }
}

/** `tool_choice`, whose `disable_parallel_tool_use` is a wish of its own in the exchange. */
export function decodeToolChoice(
  value: unknown,
  tools: readonly ToolDefinition[],
): { toolChoice?: ToolChoice; parallelCalls?: boolean } {
  if (value === undefined || value === null) return {}
  const choice = asObject(value)
  if (!choice) refuse('tool_choice', 'must_be_object_with_type')
  const { disable_parallel_tool_use: isSingle } = choice
  return {
    toolChoice: readChoice(choice, tools),
    ...(typeof isSingle === 'boolean' ? { parallelCalls: !isSingle } : {}),
  }
}

function readChoice(choice: Record<string, unknown>, tools: readonly ToolDefinition[]): ToolChoice {
  switch (choice.type) {
    case 'auto':
      return { mode: 'auto' }
    case 'any':
      return { mode: 'required' }
    case 'none':
      return { mode: 'none' }
    case 'tool': {
      const name = asString(choice.name)
      if (name === undefined) refuse('tool_choice.name', 'tool_name_required')
      const isHosted = tools.some((tool) => tool.type === 'hosted' && hostedToolName(tool) === name)
      return { mode: 'one', name, kind: isHosted ? 'hosted' : 'function' }
    }
    default:
      return refuse('tool_choice.type', {
        code: 'must_be_either',
        values: ['auto', 'any', 'tool', 'none'],
      })
  }
}
