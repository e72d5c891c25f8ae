import { refuse } from '../../check/check-request.ts'
import type { ToolChoice, ToolDefinition } from '../../exchange.ts'
import { fieldsUnder } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { clientToolOf } from '../client-tools.ts'
import { hostedToolOf } from '../hosted-items.ts'
import { fieldsBeside, ownNative } from '../own-fields.ts'

const knownOfFunction = new Set(['type', 'name', 'description', 'parameters', 'strict'])
const knownOfCustom = new Set(['type', 'name', 'description', 'format'])
const knownOfNamespace = new Set(['type', 'name', 'tools'])

/** Shared by the tools of one namespace: its name, and on the first of them what else it says. */
interface Space {
  namespace?: string
  fields: JsonObject
}

const NO_SPACE: Space = { fields: {} }

const described = (tool: JsonObject): { description?: string } => {
  const description = asString(tool.description)
  return description === undefined ? {} : { description }
}

function nameOf(tool: JsonObject, at: string): string {
  const name = asString(tool.name)
  return name ? name : refuse(`${at}.name`, 'is_required')
}

function decodeFunction(tool: JsonObject, at: string, space: Space): ToolDefinition {
  const { namespace } = space
  return {
    type: 'function',
    name: nameOf(tool, at),
    ...(namespace === undefined ? {} : { namespace }),
    ...described(tool),
    schema: asObject(tool.parameters) ?? null,
    // Where it is left out the vendor tries for it, which is no wish of the client's.
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
    at,
    ...ownNative({ ...fieldsBeside(tool, knownOfFunction), ...space.fields }),
  }
}

function decodeCustom(tool: JsonObject, at: string, space: Space): ToolDefinition {
  const { namespace } = space
  const format = asObject(tool.format)
  const grammar = asObject(format?.grammar) ?? format
  const syntax = asString(grammar?.syntax)
  const definition = asString(grammar?.definition)
  const isGrammar = syntax !== undefined && definition !== undefined
  return {
    type: 'freeform',
    name: nameOf(tool, at),
    ...(namespace === undefined ? {} : { namespace }),
    ...described(tool),
    grammar: isGrammar ? { syntax, definition } : null,
    at,
    ...ownNative({ ...fieldsBeside(tool, knownOfCustom), ...space.fields }),
  }
}

function decodeNamespace(tool: JsonObject, at: string): ToolDefinition[] {
  const namespace = nameOf(tool, at)
  // Kept on the first tool: the exchange has no word for what a namespace is for.
  const about = fieldsUnder('namespace', fieldsBeside(tool, knownOfNamespace))
  return asArray(tool.tools).flatMap((inner, index) => {
    const fields = index === 0 ? about : {}
    return decodeTool(inner, `${at}.tools[${index}]`, { namespace, fields })
  })
}

function decodeTool(value: unknown, at: string, space: Space = NO_SPACE): ToolDefinition[] {
  const tool = asObject(value)
  if (!tool) return refuse(at, 'must_be_object')
  const type = asString(tool.type) ?? 'function'
  if (type === 'function') return [decodeFunction(tool, at, space)]
  if (type === 'custom') return [decodeCustom(tool, at, space)]
  if (type === 'namespace') return decodeNamespace(tool, at)
  const client = clientToolOf(tool)
  if (!client) {
    return [
      {
        type: 'hosted',
        tool: hostedToolOf(type),
        name: type,
        origin: 'responses',
        value: tool,
        at,
      },
    ]
  }
  return [
    {
      type: 'function',
      name: type,
      description: asString(tool.description) ?? client.description,
      schema: asObject(tool.parameters) ?? client.schema,
      strict: false,
      at,
      // The definition as it was, for the vendor whose tool it is.
      ...ownNative({ ...tool, type }),
    },
  ]
}

/** A list of tools, namespaces opened. `at` is the list's own path. */
export function decodeTools(value: unknown, at: string): ToolDefinition[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return refuse(at, 'must_be_array')
  return value.flatMap((tool, index) => decodeTool(tool, `${at}[${index}]`))
}

/** How a tool is called in a choice: function and custom tools by name, the vendor's by type. */
const chosenName = (tool: JsonObject): string | undefined =>
  asString(tool.name) ?? asString(tool.server_label) ?? asString(tool.type)

const choiceWords = new Set(['auto', 'none', 'required'])

/** `tool_choice`. A choice of the vendor's own tools is also kept as it was. */
export function decodeToolChoice(value: unknown): { toolChoice?: ToolChoice; kept: JsonObject } {
  if (value === undefined || value === null) return { kept: {} }
  if (typeof value === 'string') {
    if (!choiceWords.has(value)) {
      return refuse('tool_choice', 'must_be_tool_choice')
    }
    return { toolChoice: { mode: value as 'auto' }, kept: {} }
  }
  const choice = asObject(value)
  const type = asString(choice?.type)
  if (!choice || type === undefined) {
    return refuse('tool_choice', 'must_be_typed_tool_choice')
  }
  if (type === 'allowed_tools') {
    const names = asArray(choice.tools).flatMap((tool) => chosenName(asObject(tool) ?? {}) ?? [])
    const isRequired = choice.mode === 'required'
    return { toolChoice: { mode: 'some', names, isRequired }, kept: {} }
  }
  const name = asString(choice.name)
  if (type === 'function' || type === 'custom') {
    if (!name) return refuse('tool_choice.name', 'is_required')
    const namespace = asString(choice.namespace)
    const kind = type === 'custom' ? 'freeform' : 'function'
    const place = namespace === undefined ? {} : { namespace }
    return { toolChoice: { mode: 'one', name, kind, ...place }, kept: {} }
  }
  const client = clientToolOf(choice)
  if (client) return { toolChoice: { mode: 'one', name: type, kind: 'function' }, kept: {} }
  const hasMore = Object.keys(choice).length > 1
  return {
    toolChoice: { mode: 'one', name: type, kind: 'hosted' },
    kept: hasMore ? { tool_choice: choice } : {},
  }
}
