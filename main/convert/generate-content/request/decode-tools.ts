import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type { FunctionTool, HostedTool, ToolChoice, ToolDefinition } from '../../exchange.ts'
import { fieldsBeside, innerFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString } from '../../json/json-value.ts'
import { camelFields, entriesOf, FORMAT, ownNative } from '../wire-fields.ts'
import { decodeSchema } from './decode-schema.ts'

const hostedNames: Readonly<Record<string, HostedTool>> = {
  googleSearch: 'web-search',
  googleSearchRetrieval: 'web-search',
  enterpriseWebSearch: 'web-search',
  exaAiSearch: 'web-search',
  parallelAiSearch: 'web-search',
  urlContext: 'web-fetch',
  codeExecution: 'code-execution',
  googleMaps: 'maps',
  fileSearch: 'file-search',
  retrieval: 'file-search',
  computerUse: 'computer',
  mcpServers: 'mcp',
}

const knownOfTool = new Set(['name', 'description', 'parametersJsonSchema', 'parameters'])
const knownOfConfig = new Set(['functionCallingConfig'])

function decodeDeclaration(value: unknown, at: string): FunctionTool {
  const declaration = camelFields(asObject(value) ?? refuse(at, 'must_be_object'))
  const name = asString(declaration.name)
  if (!name) refuse(`${at}.name`, 'is_required')
  const description = asString(declaration.description)
  const schema = asObject(declaration.parametersJsonSchema)
  const parameters = asObject(declaration.parameters)
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    schema: schema ?? (parameters ? decodeSchema(parameters) : null),
    at,
    ...ownNative(
      fieldsBeside(declaration, knownOfTool),
      parameters && !schema ? { parameters } : {},
    ),
  }
}

/** `tools`: an entry may hold functions and tools of Google's side by side; each becomes one. */
export function decodeTools(value: unknown): ToolDefinition[] {
  const tools: ToolDefinition[] = []
  if ((value ?? null) !== null && !asObject(value) && !Array.isArray(value)) {
    refuse('tools', 'must_be_tools')
  }
  for (const { value: entry, at } of entriesOf(value, 'tools')) {
    const tool = camelFields(asObject(entry) ?? refuse(at, 'must_be_object'))
    for (const [key, content] of Object.entries(tool)) {
      if (content === null) continue
      if (key === 'functionDeclarations') {
        const declared = entriesOf(content, `${at}.functionDeclarations`)
        tools.push(...declared.map((one) => decodeDeclaration(one.value, one.at)))
        continue
      }
      tools.push({
        type: 'hosted',
        tool: hostedNames[key] ?? 'other',
        name: key,
        origin: FORMAT,
        value: { [key]: content },
        at: `${at}.${key}`,
      })
    }
  }
  return tools
}

function choiceOf(mode: string | undefined, names: string[]): ToolChoice | undefined {
  if (mode === 'NONE') return { mode: 'none' }
  const isRequired = mode === 'ANY'
  const [name] = names
  if (isRequired && name !== undefined && names.length === 1) {
    return { mode: 'one', name, kind: 'function' }
  }
  if (names.length > 0) return { mode: 'some', names, isRequired }
  if (isRequired) return { mode: 'required' }
  return mode === 'AUTO' || mode === 'VALIDATED' ? { mode: 'auto' } : undefined
}

const modes: ReadonlySet<unknown> = new Set([
  'NONE',
  'ANY',
  'AUTO',
  'VALIDATED',
  'MODE_UNSPECIFIED',
])

/** `toolConfig`: the choice, and what is kept of the rest. `VALIDATED` holds calls to their schemas. */
export function decodeToolConfig(value: unknown): {
  toolChoice?: ToolChoice
  isValidated: boolean
  rest: JsonObject
} {
  const config = camelFields(asObject(value) ?? {})
  requireTypes(config, { functionCallingConfig: 'object' }, 'toolConfig')
  const calling = camelFields(asObject(config.functionCallingConfig) ?? {})
  const types = { mode: 'string', allowedFunctionNames: 'array' } as const
  requireTypes(calling, types, 'toolConfig.functionCallingConfig')
  const names = asArray(calling.allowedFunctionNames).filter((name) => typeof name === 'string')
  const mode = asString(calling.mode)?.toUpperCase()
  const toolChoice = choiceOf(mode, names)
  return {
    ...(toolChoice ? { toolChoice } : {}),
    isValidated: mode === 'VALIDATED',
    rest: {
      ...innerFields('toolConfig', config, knownOfConfig),
      ...innerFields(
        'toolConfig.functionCallingConfig',
        calling,
        new Set([...(modes.has(mode) ? ['mode'] : []), 'allowedFunctionNames']),
      ),
    },
  }
}
