import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, FunctionTool, ToolChoice, ToolDefinition } from '../../exchange.ts'
import { asArray, asObject, type JsonObject } from '../../json/json-value.ts'
import { typesOf } from '../../schema/flat-schema.ts'
import { anthropicOutputSchema, describedSchema, objectSchema } from '../../schema/json-schema.ts'
import { mapSchema } from '../../schema/map-schema.ts'
import { encodeHostedTool, hostedToolName } from '../hosted-tools.ts'
import { jsonAnswerTool } from '../json-answer.ts'
import { encodeMark } from './cache-marks.ts'
import { isInline } from './decode-tools.ts'

/**
 * Limits of one request's strict schemas together; more is refused as too costly to compile:
 * https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs#schema-complexity-limits
 */
const MOST_TOOLS = 20
const MOST_OPTIONAL = 24
const MOST_UNIONS = 16

/** Counts the strict tools of one request, and what makes their schemas costly. */
class StrictBudget {
  #tools = 0
  #optional = 0
  #unions = 0

  /** Is there room for another tool of this schema? Then it is counted. */
  takes(schema: JsonObject): boolean {
    let optional = this.#optional
    let unions = this.#unions
    mapSchema(schema, (one) => {
      const required = asArray(one.required)
      const names = Object.keys(asObject(one.properties) ?? {})
      optional += names.filter((name) => !required.includes(name)).length
      if (Array.isArray(one.anyOf) || typesOf(one).length > 1) unions++
      return one
    })
    if (this.#tools >= MOST_TOOLS || optional > MOST_OPTIONAL || unions > MOST_UNIONS) return false
    this.#tools++
    this.#optional = optional
    this.#unions = unions
    return true
  }
}

/** Schema of an answer that has to come as a call, because the model takes none for its text. */
export function answerSchema(
  { output }: ExchangeRequest,
  { rules }: RequestTarget,
): JsonObject | null {
  if (output?.type !== 'schema' || rules.structuredOutput || rules.forcedTool === 'no') return null
  return describedSchema(output)
}

/** `tools` and `tool_choice`; neither without a tool. `thinks` forbids to force a call on some models. */
export function encodeTools(
  request: ExchangeRequest,
  target: RequestTarget,
  thinks: boolean,
): { tools?: JsonObject[]; tool_choice?: JsonObject } {
  const { loss } = target
  const isOwn = request.origin === 'messages'
  const choice = request.toolChoice
  // Tools that the client's conversation brings stand there again.
  const listed = isOwn ? request.tools.filter((tool) => !isInline(tool)) : request.tools
  const offered = choice?.mode === 'some' ? narrowed(listed, choice.names) : listed
  if (choice?.mode === 'some') {
    loss.approximate(loss.field('toolChoice'), 'only_allowed_tools')
  }
  const names = new Set(offered.flatMap((tool) => (tool.type === 'hosted' ? [] : [tool.name])))
  const budget = new StrictBudget()
  const tools = offered
    .map((tool) => encodeTool(tool, target, isOwn, { names, budget }))
    .filter((tool): tool is JsonObject => tool !== null)
  const schema = answerSchema(request, target)
  if (schema) return withAnswerTool(request, target, tools, schema)
  if (tools.length === 0) {
    refuseForced(choice, target, tools)
    return {}
  }
  const words = encodeChoice(request, target, tools, isOwn, thinks)
  return { tools, ...(words ? { tool_choice: words } : {}) }
}

const narrowed = (tools: readonly ToolDefinition[], names: readonly string[]): ToolDefinition[] =>
  tools.filter((tool) => names.includes(nameOf(tool) ?? '') || names.includes(tool.name))

const nameOf = (tool: ToolDefinition): string | undefined =>
  tool.type === 'hosted' ? hostedToolName(tool) : tool.name

function encodeTool(
  tool: ToolDefinition,
  target: RequestTarget,
  isOwn: boolean,
  { names, budget }: { names: ReadonlySet<string>; budget: StrictBudget },
): JsonObject | null {
  const { loss, rules } = target
  if (tool.type === 'function') return encodeFunction(tool, target, isOwn, budget)
  if (tool.type === 'hosted') {
    if (!isOwn && names.has(hostedToolName(tool) ?? '')) {
      loss.drop(tool.at ?? loss.field('tools'), 'function_named_so')
      return null
    }
    return encodeHostedTool(tool, rules, loss)
  }
  // Freeform tools have been made functions before; one that comes here is a fault of ours.
  return loss.refuse(tool.at ?? loss.field('tools'), 'must_be_function')
}

function encodeFunction(
  tool: FunctionTool,
  target: RequestTarget,
  isOwn: boolean,
  budget: StrictBudget,
): JsonObject {
  const { loss, rules } = target
  const at = tool.at ?? loss.field('tools')
  const original = tool.schema ?? { type: 'object', properties: {} }
  const fitted = isOwn ? original : objectSchema(original)
  const closed =
    tool.strict === true && !isOwn && rules.strictTools
      ? anthropicOutputSchema(fitted, loss, at)
      : null
  const isStrict = isOwn ? tool.strict === true : closed !== null && budget.takes(closed)
  if (tool.strict === true && !isStrict) {
    loss.approximate(at, 'schema_not_held')
  }
  const schema = isStrict && closed ? closed : fitted
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: schema,
    ...(isStrict ? { strict: true } : {}),
    ...(isOwn && tool.strict === false ? { strict: false } : {}),
    ...loss.native(tool.native, 'messages', tool.at),
    ...(rules.cacheMarks ? encodeMark(tool.cacheMark, tool.at, loss) : {}),
  }
}

/** A call that the client insists on cannot be made of a tool that is not there. */
function refuseForced(
  choice: ToolChoice | undefined,
  { loss }: RequestTarget,
  tools: readonly JsonObject[],
): void {
  const field = loss.field('toolChoice')
  if (choice?.mode === 'one' && !tools.some(({ name }) => name === wireName(choice))) {
    loss.refuse(field, { code: 'must_not_force_tool', name: choice.name })
  }
  const isForced = choice?.mode === 'required' || (choice?.mode === 'some' && choice.isRequired)
  if (isForced && tools.length === 0) {
    loss.refuse(field, 'must_not_force_call')
  }
}

/** Another vendor's name of a hosted tool (`web_search_preview`) is not this one's. */
function wireName(choice: Extract<ToolChoice, { mode: 'one' }>): string {
  if (choice.kind !== 'hosted') return choice.name
  const word = choice.name.toLowerCase().replace(/[^a-z]/g, '')
  if (/^(?:websearch|googlesearch)/.test(word)) return 'web_search'
  if (/^(?:webfetch|urlcontext)/.test(word)) return 'web_fetch'
  return /^code(?:execution|interpreter)/.test(word) ? 'code_execution' : choice.name
}

function encodeChoice(
  request: ExchangeRequest,
  target: RequestTarget,
  tools: readonly JsonObject[],
  isOwn: boolean,
  thinks: boolean,
): JsonObject | null {
  const { toolChoice: choice, parallelCalls } = request
  refuseForced(choice, target, tools)
  const single = parallelCalls === false ? { disable_parallel_tool_use: true } : {}
  const parallel = isOwn && parallelCalls === true ? { disable_parallel_tool_use: false } : {}
  const extra = { ...single, ...parallel }
  if (!choice) return parallelCalls === false ? { type: 'auto', ...single } : null
  if (choice.mode === 'none') return { type: 'none' }
  const isForced = choice.mode === 'some' ? choice.isRequired : choice.mode !== 'auto'
  if (!isForced) return { type: 'auto', ...extra }
  if (!isOwn && mayNotForce(target, thinks)) return { type: 'auto', ...extra }
  if (choice.mode !== 'one') return { type: 'any', ...extra }
  return { type: 'tool', name: isOwn ? choice.name : wireName(choice), ...extra }
}

function mayNotForce({ rules, loss }: RequestTarget, thinks: boolean): boolean {
  const may = rules.forcedTool === 'yes' || (rules.forcedTool === 'without-thinking' && !thinks)
  if (may) return false
  loss.approximate(loss.field('toolChoice'), 'unforced_while_thinking')
  return true
}

/**
 * The tool that carries the answer beside the client's own. With tools at hand the model must call one of all
 * of them, so that it can go on with its work before it answers.
 */
function withAnswerTool(
  request: ExchangeRequest,
  target: RequestTarget,
  tools: readonly JsonObject[],
  schema: JsonObject,
): { tools: JsonObject[]; tool_choice: JsonObject } {
  const { loss } = target
  const mode = request.toolChoice?.mode
  if (mode === 'one' || mode === 'required') {
    const forced = encodeChoice(request, target, tools, false, false)
    if (forced) return { tools: [...tools], tool_choice: forced }
  }
  loss.approximate(loss.field('output'), 'schema_as_tool')
  const answer = jsonAnswerTool(schema)
  const isFree = tools.length > 0 && mode !== 'none'
  const single = { disable_parallel_tool_use: true }
  return {
    tools: [...tools, answer],
    tool_choice: isFree
      ? { type: 'any', ...single }
      : { type: 'tool', name: answer.name, ...single },
  }
}
