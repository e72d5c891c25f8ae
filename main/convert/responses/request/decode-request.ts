import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type {
  Effort,
  ExchangeRequest,
  OutputShape,
  ReasoningRequest,
  ToolDefinition,
  Turn,
} from '../../exchange.ts'
import { fieldsUnder, innerFields } from '../../foreign/kept-fields.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asCount, asObject, asString, wordOf } from '../../json/json-value.ts'
import { clientToolOfOutput } from '../client-tools.ts'
import { fieldsBeside, ownNative } from '../own-fields.ts'
import { attachStates } from './attach-states.ts'
import { decodeItem } from './decode-item.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'

/** Where `instructions` stand. They hold for one call only, so that place is also how they are known. */
export const INSTRUCTIONS = 'instructions'

const ENCRYPTED = 'reasoning.encrypted_content'
const LOGPROBS = 'message.output_text.logprobs'
const efforts = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

/** Fields with a word in the exchange, and those whose usual value says nothing. */
const known = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'stream'],
  ...['reasoning', 'text', 'include', 'max_output_tokens', 'temperature', 'top_p', 'top_logprobs'],
  ...['metadata', 'safety_identifier', 'prompt_cache_key', 'service_tier', 'store', 'user'],
  'previous_response_id',
])
/** Types of fields that are read leniently below. */
const types = {
  model: 'string',
  instructions: 'string',
  stream: 'boolean',
  parallel_tool_calls: 'boolean',
  store: 'boolean',
  include: 'array',
  top_logprobs: 'count',
  metadata: 'object',
  safety_identifier: 'string',
  user: 'string',
  prompt_cache_key: 'string',
  service_tier: 'string',
  previous_response_id: 'string',
  reasoning: 'object',
  'reasoning.effort': 'string',
  'reasoning.summary': 'string',
  'reasoning.generate_summary': 'string',
  text: 'object',
  'text.verbosity': 'string',
  'text.format': 'object',
  'text.format.name': 'string',
  'text.format.description': 'string',
  'text.format.strict': 'boolean',
} as const
const knownOfReasoning = new Set(['effort', 'summary', 'generate_summary'])
const knownOfText = new Set(['format', 'verbosity'])
const knownOfFormat = new Set(['type', 'schema', 'name', 'description', 'strict'])
const knownOfChoice = new Set(['type', 'name', 'namespace', 'server_label', 'mode', 'tools'])

const typesOfUpdate = {
  reasoning: 'object',
  'reasoning.effort': 'string',
  text: 'object',
  'text.format': 'object',
} as const

/** What `configuration_update` items set. */
type Updates = Record<'reasoning' | 'text', JsonObject>

/**
 * Reads one: what it names holds until a later one replaces it (OpenAI's SDK 7.59,
 * `ResponseConfigurationUpdateItemParam`), so that the last holds for the answer. Says whether that is all of it.
 */
function readUpdate(item: JsonObject, at: string, updates: Updates): boolean {
  requireTypes(item, typesOfUpdate, at)
  const { type: _type, id: _id, reasoning, text, ...others } = item
  const { effort, ...otherReasoning } = asObject(reasoning) ?? {}
  const { format, ...otherText } = asObject(text) ?? {}
  if (effort !== undefined) updates.reasoning = { effort }
  if (format !== undefined) updates.text = { format }
  return Object.keys({ ...others, ...otherReasoning, ...otherText }).length === 0
}

interface DecodedInput {
  turns: Turn[]
  tools: ToolDefinition[]
  updates: Updates
}

function decodeInput(input: unknown): DecodedInput {
  const updates: Updates = { reasoning: {}, text: {} }
  if (input === undefined || input === null) return { turns: [], tools: [], updates }
  if (typeof input === 'string') {
    const part = { type: 'text' as const, text: input, at: 'input' }
    return { turns: [{ role: 'user', parts: [part], at: 'input' }], tools: [], updates }
  }
  if (!Array.isArray(input)) return refuse('input', 'must_be_items')
  const turns: Turn[] = []
  const tools: ToolDefinition[] = []
  for (const [index, value] of input.entries()) {
    const at = `input[${index}]`
    const item = asObject(value)
    if (!item) return refuse(at, 'must_be_object')
    if (item.type === 'configuration_update' && readUpdate(item, at, updates)) continue
    const isFound = item.type === 'tool_search_output' && clientToolOfOutput(item)
    // Tools that come in the middle are known by their place, which is all that brings them back there.
    if (item.type === 'additional_tools' || isFound) {
      tools.push(...decodeTools(item.tools, `${at}.tools`))
    }
    if (item.type !== 'additional_tools') turns.push(Object.assign(decodeItem(item, at), { at }))
  }
  return { turns: attachStates(turns), tools, updates }
}

const updated = (settings: unknown, update: JsonObject): unknown =>
  Object.keys(update).length > 0 ? { ...asObject(settings), ...update } : settings

function decodeReasoning(value: unknown): { reasoning?: ReasoningRequest; kept: JsonObject } {
  const reasoning = asObject(value)
  if (!reasoning) return { kept: {} }
  const effort = asString(reasoning.effort)
  const summary = asString(reasoning.summary) ?? asString(reasoning.generate_summary)
  const wordOfSummary = asString(reasoning.summary) === undefined ? 'generate_summary' : 'summary'
  const isTwice = wordOfSummary === 'summary' && (reasoning.generate_summary ?? summary) !== summary
  const isKnown = effort !== undefined && efforts.has(effort)
  const isShown = summary !== undefined && summary !== 'none'
  return {
    reasoning: {
      ...(isKnown ? { effort: effort as Effort } : {}),
      ...(summary === undefined ? {} : { isShown }),
    },
    kept: {
      ...fieldsUnder('reasoning', fieldsBeside(reasoning, knownOfReasoning)),
      ...(effort !== undefined && !isKnown ? { 'reasoning.effort': effort } : {}),
      ...(isShown && summary !== 'auto' ? { [`reasoning.${wordOfSummary}`]: summary } : {}),
      ...(isTwice ? { 'reasoning.generate_summary': reasoning.generate_summary } : {}),
    },
  }
}

function decodeFormat(format: JsonObject): OutputShape | null {
  if (format.type === 'json_object') return { type: 'json' }
  if (format.type !== 'json_schema') return null
  const schema = asObject(format.schema)
  if (!schema) return refuse('text.format.schema', 'must_be_object')
  const name = asString(format.name)
  const description = asString(format.description)
  return {
    type: 'schema',
    schema,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(typeof format.strict === 'boolean' ? { strict: format.strict } : {}),
  }
}

function decodeText(value: unknown): { request: Partial<ExchangeRequest>; kept: JsonObject } {
  const text = asObject(value)
  if (!text) return { request: {}, kept: {} }
  const format = asObject(text.format)
  const output = format ? decodeFormat(format) : null
  const verbosity = asString(text.verbosity)
  const isOther = format && !output && format.type !== 'text'
  return {
    request: {
      ...(output ? { output } : {}),
      ...(verbosity === undefined ? {} : { verbosity }),
    },
    kept: {
      ...fieldsUnder('text', fieldsBeside(text, knownOfText)),
      ...(isOther ? { 'text.format': format } : {}),
      ...(isOther ? {} : innerFields('text.format', format, knownOfFormat)),
    },
  }
}

/** `include`: thoughts are always carried, and likely tokens are asked for by a field of their own. */
function decodeInclude(body: JsonObject): { logprobs?: number; kept: JsonObject } {
  const include = asArray(body.include)
  const others = include.filter((one) => one !== ENCRYPTED && one !== LOGPROBS)
  const asked = include.includes(LOGPROBS) || asCount(body.top_logprobs)
  return {
    ...(asked ? { logprobs: asCount(body.top_logprobs) ?? 0 } : {}),
    kept: others.length > 0 ? { include: others } : {},
  }
}

function decodeMetadata(value: unknown): { metadata?: Record<string, string> } {
  const entries = Object.entries(asObject(value) ?? {}).filter(([, one]) => one !== null)
  if (entries.length === 0) return {}
  return { metadata: Object.fromEntries(entries.map(([name, one]) => [name, wordOf(one)])) }
}

function readNumber(body: JsonObject, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) refuse(field, 'must_be_number')
  return value
}

const readSwitch = (value: unknown): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined

/** The fields that have a value, as the part of an object to spread. */
function present(
  fields: {
    [Name in keyof ExchangeRequest]?: ExchangeRequest[Name] | undefined
  },
): Partial<ExchangeRequest> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** A request of the Responses format: https://platform.openai.com/docs/api-reference/responses/create */
export function decodeRequest(body: JsonObject): ExchangeRequest {
  requireTypes(body, types)
  const { turns, tools, updates } = decodeInput(body.input)
  const instructions = asString(body.instructions)
  if (instructions) {
    const part = { type: 'text' as const, text: instructions, at: INSTRUCTIONS }
    turns.unshift({ role: 'system', parts: [part], at: INSTRUCTIONS })
  }
  const choice = decodeToolChoice(body.tool_choice)
  const reasoning = decodeReasoning(updated(body.reasoning, updates.reasoning))
  const text = decodeText(updated(body.text, updates.text))
  const { logprobs, kept } = decodeInclude(body)
  const safety = asString(body.safety_identifier)
  const user = asString(body.user)
  const background = body.background === false ? { background: undefined } : {}
  return {
    origin: 'responses',
    model: asString(body.model) ?? '',
    stream: body.stream === true,
    turns,
    tools: [...decodeTools(body.tools, 'tools'), ...tools],
    ...(choice.toolChoice ? { toolChoice: choice.toolChoice } : {}),
    ...(reasoning.reasoning ? { reasoning: reasoning.reasoning } : {}),
    ...text.request,
    ...decodeMetadata(body.metadata),
    ...present({
      parallelCalls: readSwitch(body.parallel_tool_calls),
      maxOutput: readNumber(body, 'max_output_tokens'),
      temperature: readNumber(body, 'temperature'),
      topP: readNumber(body, 'top_p'),
      logprobs,
      serviceTier: asString(body.service_tier),
      user: safety ?? user,
      cacheKey: asString(body.prompt_cache_key),
      previousResponseId: asString(body.previous_response_id),
      store: readSwitch(body.store),
    }),
    ...ownNative({
      ...fieldsBeside({ ...body, ...background }, known),
      ...(safety !== undefined && user !== undefined ? { user } : {}),
      ...choice.kept,
      ...(choice.kept.tool_choice
        ? {}
        : innerFields('tool_choice', body.tool_choice, knownOfChoice)),
      ...reasoning.kept,
      ...text.kept,
      ...kept,
    }),
  }
}
