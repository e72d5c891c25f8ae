import { ownValue } from '../../../base/own-value.ts'
import { refuse } from '../../check/check-request.ts'
import type { HostedTool, ToolChoice, ToolDefinition } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { decodeCacheMark } from '../decode-content.ts'
import { ownFields } from '../own-fields.ts'
import { readArray } from './read-field.ts'

const knownOfFunction = new Set([
  ...['type', 'function', 'name', 'description', 'parameters', 'strict', 'cache_control'],
  // Anthropic's word for the schema, which Cursor sends here: see anthropic-blocks.ts.
  ...['prompt_cache_breakpoint', 'input_schema'],
])
const knownOfCustom = new Set(['type', 'custom', 'name', 'description', 'format', 'cache_control'])

/** Types of tools that vendors of this format run themselves (GLM, OpenRouter, xAI, Moonshot). */
const hostedTypes: readonly [RegExp, HostedTool][] = [
  [/web_?search|live_search|x_search/, 'web-search'],
  [/web_?fetch|url_context/, 'web-fetch'],
  [/code_(?:interpreter|execution|runner)/, 'code-execution'],
  [/file_search|retrieval|collections_search/, 'file-search'],
  [/image_generation/, 'image-generation'],
  [/mcp/, 'mcp'],
]

function decodeFunction(tool: JsonObject, inner: JsonObject, at: string): ToolDefinition {
  const name = asString(inner.name)
  if (!name) return refuse(`${at}.function.name`, 'is_required')
  const description = asString(inner.description)
  const strict = inner.strict
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    schema: asObject(inner.parameters) ?? asObject(inner.input_schema) ?? null,
    ...(typeof strict === 'boolean' ? { strict } : {}),
    at,
    ...decodeCacheMark(tool),
    // In the Responses format `inner` is the tool itself.
    ...ownFields({ ...tool, ...inner }, knownOfFunction),
  }
}

function decodeCustom(tool: JsonObject, inner: JsonObject, at: string): ToolDefinition {
  const name = asString(inner.name)
  if (!name) return refuse(`${at}.custom.name`, 'is_required')
  const description = asString(inner.description)
  const format = asObject(inner.format)
  // The Responses format has the grammar's fields beside its type.
  const grammar = asObject(format?.grammar) ?? (format?.type === 'grammar' ? format : undefined)
  const syntax = asString(grammar?.syntax)
  const definition = asString(grammar?.definition)
  return {
    type: 'freeform',
    name,
    ...(description === undefined ? {} : { description }),
    grammar: syntax !== undefined && definition !== undefined ? { syntax, definition } : null,
    at,
    ...ownFields({ ...tool, ...inner }, knownOfCustom),
  }
}

function decodeTool(value: unknown, at: string): ToolDefinition {
  const tool = asObject(value)
  if (!tool) return refuse(at, 'must_be_object')
  const type = asString(tool.type) ?? 'function'
  const isFunction = type === 'function' || (type === 'custom' && asObject(tool.input_schema))
  if (isFunction) return decodeFunction(tool, asObject(tool.function) ?? tool, at)
  if (type === 'custom') return decodeCustom(tool, asObject(tool.custom) ?? tool, at)
  const own = asString(asObject(tool.function)?.name) ?? ''
  const hosted = hostedTypes.find(([pattern]) => pattern.test(type) || pattern.test(own))?.[1]
  return { type: 'hosted', tool: hosted ?? 'other', name: type, origin: 'chat', value: tool, at }
}

/** `tools`, the deprecated `functions`, and the search that is asked for by a field of its own. */
export function decodeTools(body: JsonObject): ToolDefinition[] {
  const tools = (readArray(body, 'tools') ?? []).map((tool, index) =>
    decodeTool(tool, `tools[${index}]`),
  )
  for (const [index, value] of (readArray(body, 'functions') ?? []).entries()) {
    const at = `functions[${index}]`
    const inner = asObject(value)
    tools.push(inner ? decodeFunction(inner, inner, at) : refuse(at, 'must_be_object'))
  }
  const search = asObject(body.web_search_options)
  if (search) {
    const name = 'web_search_options'
    tools.push({
      type: 'hosted',
      tool: 'web-search',
      name,
      origin: 'chat',
      value: search,
      at: name,
    })
  }
  return tools
}

const nameOf = (choice: JsonObject, type: string): string | undefined =>
  asString(asObject(choice[type])?.name) ?? asString(choice.name)

const words: Readonly<Record<string, 'auto' | 'none' | 'required'>> = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  // Mistral's word.
  any: 'required',
}

function decodeChoiceObject(choice: JsonObject): ToolChoice {
  const type = asString(choice.type) ?? 'function'
  if (type === 'allowed_tools') {
    const allowed = asObject(choice.allowed_tools) ?? choice
    const names = asArray(allowed.tools).flatMap((value) => {
      const tool = asObject(value) ?? {}
      return nameOf(tool, asString(tool.type) ?? 'function') ?? asString(tool.type) ?? []
    })
    return { mode: 'some', names, isRequired: allowed.mode === 'required' }
  }
  // Anthropic's form of the words.
  const mode = ownValue(words, type)
  if (mode) return { mode }
  const name = nameOf(choice, type)
  if (type === 'tool' && name) return { mode: 'one', name, kind: 'function' }
  if (type === 'function' || type === 'custom') {
    if (!name) return refuse(`tool_choice.${type}.name`, 'is_required')
    return { mode: 'one', name, kind: type === 'custom' ? 'freeform' : 'function' }
  }
  return { mode: 'one', name: name ?? type, kind: 'hosted' }
}

/** `tool_choice`, or the deprecated `function_call`. */
export function decodeToolChoice(body: JsonObject): ToolChoice | undefined {
  const choice = body.tool_choice ?? body.function_call
  if (choice === undefined || choice === null) return undefined
  if (typeof choice === 'string') {
    const mode = ownValue(words, choice)
    return mode ? { mode } : refuse('tool_choice', 'must_be_tool_choice')
  }
  const object = asObject(choice)
  return object ? decodeChoiceObject(object) : refuse('tool_choice', 'must_be_string_or_object')
}
