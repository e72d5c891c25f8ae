import type {
  ExchangeRequest,
  FunctionTool,
  HostedTool,
  HostedToolDefinition,
  ToolChoice,
} from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { googleSchema, objectSchema } from '../../schema/json-schema.ts'
import { noteLostOptions } from '../../tools/hosted-options.ts'
import { type Encoding, nodeFields } from '../encoding.ts'
import { FORMAT, placeFields, spellingOf } from '../wire-fields.ts'
import { aloneReferences } from './alone-references.ts'

/** Google's own names for tools that run there, for those that other vendors have, too. */
const googleNames: Readonly<Partial<Record<HostedTool, string>>> = {
  'web-search': 'googleSearch',
  'web-fetch': 'urlContext',
  'code-execution': 'codeExecution',
}

/** Says the schema nothing about arguments? Google wants none then. */
const isEmptySchema = (schema: JsonObject): boolean =>
  Object.keys(asObject(schema.properties) ?? {}).length === 0 &&
  !['$ref', 'anyOf', 'oneOf', 'allOf', 'patternProperties'].some((key) => key in schema) &&
  !asObject(schema.additionalProperties)

function encodeSchema(tool: FunctionTool, { isOwn, rules, loss }: Encoding): JsonObject {
  const { parameters } = spellingOf(tool.native)
  if (isOwn && parameters) return { parameters }
  const { schema } = tool
  if (schema === null || (isEmptySchema(schema) && !(isOwn && rules.jsonSchemaField))) return {}
  const whole = objectSchema(schema)
  if (rules.jsonSchemaField) {
    return { parametersJsonSchema: isOwn ? whole : aloneReferences(whole) }
  }
  const subset = googleSchema(whole, loss, tool.at ?? tool.name)
  return isEmptySchema(subset) ? {} : { parameters: subset }
}

function encodeFunction(tool: FunctionTool, encoding: Encoding): JsonObject {
  const { name, description } = tool
  return placeFields(
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...encodeSchema(tool, encoding),
    },
    nodeFields(tool, encoding),
  )
}

function encodeHosted(tool: HostedToolDefinition, encoding: Encoding): JsonObject | null {
  if (tool.origin === FORMAT) return tool.value
  const name = googleNames[tool.tool]
  nodeFields(tool, encoding)
  if (name === undefined || !encoding.rules.hostedTools.includes(tool.tool)) {
    encoding.loss.drop(tool.at ?? tool.name, 'no_such_tool')
    return null
  }
  noteLostOptions(tool, [], encoding.loss)
  return { [name]: {} }
}

/** The tools that the client runs as functions, and those that run at Google. */
function sortTools(request: ExchangeRequest, encoding: Encoding) {
  const functions: FunctionTool[] = []
  const hosted: JsonObject[] = []
  const places: string[] = []
  for (const tool of request.tools) {
    if (tool.type === 'function') functions.push(tool)
    else if (tool.type === 'freeform') {
      // Fitting tools has made these functions; one that is left would be unknown to the model.
      encoding.loss.drop(tool.at ?? tool.name, 'only_functions')
    } else {
      const wire = encodeHosted(tool, encoding)
      if (!wire) continue
      hosted.push(wire)
      places.push(tool.at ?? tool.name)
    }
  }
  return { functions, hosted, places }
}

function namesOf(choice: ToolChoice, functions: readonly FunctionTool[]): string[] | undefined {
  const wanted =
    choice.mode === 'one' ? [choice.name] : choice.mode === 'some' ? choice.names : undefined
  return wanted?.filter((name) => functions.some((tool) => tool.name === name))
}

/** A tool of another vendor's that must be used: refused when nothing of Google's comes in its place. */
function checkChoice(
  { toolChoice }: ExchangeRequest,
  functions: readonly FunctionTool[],
  hosted: readonly JsonObject[],
  { loss }: Encoding,
): void {
  if (toolChoice?.mode !== 'one' || toolChoice.kind !== 'hosted') return
  if (functions.some(({ name }) => name === toolChoice.name)) return
  if (hosted.length === 0) {
    loss.refuse(loss.field('toolChoice'), 'forces_unknown_tool')
  }
  loss.approximate(loss.field('toolChoice'), 'google_tools_unforced')
}

/** `functionCallingConfig`; undefined for what is Google's default. */
function encodeChoice(
  request: ExchangeRequest,
  functions: readonly FunctionTool[],
  hasHosted: boolean,
  { isOwn, rules, loss }: Encoding,
): JsonObject | undefined {
  const choice = request.toolChoice
  const path = loss.field('toolChoice')
  if (functions.length === 0) {
    // Google refuses the setting without functions; own requests keep what their client wrote.
    if (isOwn && choice?.mode === 'none') return { mode: 'NONE' }
    if (isOwn && choice?.mode === 'auto') return { mode: 'AUTO' }
    const isForced = choice?.mode === 'required' || (choice?.mode === 'some' && choice.isRequired)
    if (!isOwn && isForced && request.tools.length > 0) {
      if (!hasHosted) loss.refuse(path, 'asks_for_call')
      loss.approximate(path, 'google_tools_unforced')
    }
    return undefined
  }
  const strict = functions.filter((tool) => tool.strict === true)
  const isValidated = strict.length > 0 && (isOwn || rules.strictTools)
  const free = { mode: isValidated ? 'VALIDATED' : 'AUTO' }
  if (!isOwn) {
    for (const { at, name } of strict) {
      if (isValidated) loss.approximate(`${at ?? name}.strict`, 'all_or_none_strict')
      else loss.drop(`${at ?? name}.strict`, 'no_strict_calls')
    }
  }
  if (choice?.mode === 'none') return { mode: 'NONE' }
  if (!choice || choice.mode === 'auto') return isValidated || choice ? free : undefined
  const names = namesOf(choice, functions)
  if (names?.length === 0) {
    if (choice.mode === 'one' && choice.kind === 'hosted') return isValidated ? free : undefined
    // Only tools of the vendor's own are allowed.
    if (choice.mode === 'some' && request.tools.some(({ type }) => type === 'hosted')) {
      return { mode: 'NONE' }
    }
    loss.refuse(path, 'names_no_tool')
  }
  const isForced = choice.mode !== 'some' || choice.isRequired
  if (isForced && (isOwn || rules.forcedTool === 'yes')) {
    return { mode: 'ANY', ...(names ? { allowedFunctionNames: names } : {}) }
  }
  if (isForced) loss.approximate(path, 'calls_unforced')
  // Names without force: only this mode takes them.
  if (names && (isOwn || rules.strictTools))
    return { mode: 'VALIDATED', allowedFunctionNames: names }
  if (names) loss.approximate(path, 'all_tools_allowed')
  return free
}

/** `tools` and `toolConfig`. */
export function encodeTools(request: ExchangeRequest, encoding: Encoding): JsonObject {
  const { isOwn, rules, loss } = encoding
  const sorted = sortTools(request, encoding)
  const { functions, places } = sorted
  let { hosted } = sorted
  const isMixed = functions.length > 0 && hosted.length > 0
  // Older models take either functions or tools of Google's (https://ai.google.dev/gemini-api/docs/tool-combination).
  if (isMixed && !isOwn && !rules.toolsBesideHosted) {
    for (const at of places) loss.drop(at, 'no_google_tool_beside')
    hosted = []
  }
  if (!isOwn && request.toolChoice?.mode === 'none' && hosted.length > 0) {
    loss.approximate(loss.field('toolChoice'), 'google_tools_left_out')
    hosted = []
  }
  checkChoice(request, functions, hosted, encoding)
  if (request.parallelCalls === false) {
    loss.drop(loss.field('parallelCalls'), 'several_calls')
  }
  const choice = encodeChoice(request, functions, hosted.length > 0, encoding)
  const toolConfig = {
    ...(choice ? { functionCallingConfig: choice } : {}),
    ...(isMixed && !isOwn && hosted.length > 0 ? { includeServerSideToolInvocations: true } : {}),
  }
  const tools = [
    ...(functions.length > 0
      ? [{ functionDeclarations: functions.map((tool) => encodeFunction(tool, encoding)) }]
      : []),
    ...hosted,
  ]
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(Object.keys(toolConfig).length > 0 ? { toolConfig } : {}),
  }
}
