import { digest } from '../../../base/digest.ts'
import { refuse } from '../../check/check-request.ts'
import { requireTypes } from '../../check/require-types.ts'
import type {
  Effort,
  ExchangeRequest,
  OutputShape,
  Part,
  ReasoningRequest,
  Turn,
} from '../../exchange.ts'
import { fieldsBeside, fieldsUnder, innerFields, keepFields } from '../../foreign/kept-fields.ts'
import { ExactNumber } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject, asString } from '../../json/json-value.ts'
import { readState } from '../../reasoning/reasoning-state.ts'
import { type BlockSource, decodeBlock } from '../decode-block.ts'
import { ownFields } from '../own-fields.ts'
import { decodeToolChoice, decodeTools, inlineTools } from './decode-tools.ts'

/** Where Claude Code's billing block is kept: it means nothing to another vendor, and spoils its cache. */
export const BILLING_FIELD = 'system[0]'

const knownOfChoice = new Set(['type', 'name', 'disable_parallel_tool_use'])
const knownOfFormat = new Set(['type', 'schema'])
const knownOfMessage = new Set(['role', 'content'])
const nothing: ReadonlySet<string> = new Set()

/** Types of fields that are read leniently below. */
const types = {
  stream: 'boolean',
  'tool_choice.disable_parallel_tool_use': 'boolean',
  thinking: 'object',
  output_config: 'object',
  'output_config.format': 'object',
  output_format: 'object',
  service_tier: 'string',
  speed: 'string',
  metadata: 'object',
  'metadata.user_id': 'string',
} as const

const source: BlockSource = { state: (text, kind) => readState(text, 'messages', kind) }

/** A body of POST /v1/messages (https://docs.anthropic.com/en/api/messages), as real clients send it. */
export function decodeRequest(body: JsonObject, headers: Readonly<JsonObject>): ExchangeRequest {
  requireTypes(body, types)
  const rest: JsonObject = { ...body }
  const take = (name: string): unknown => {
    const value = rest[name]
    delete rest[name]
    return value
  }
  const native: JsonObject = {}
  const model = asString(take('model'))
  if (model === undefined || model === '') refuse('model', 'model_name_required')
  const messages = take('messages')
  const turns = [...decodeSystem(take('system'), native), ...decodeMessages(messages)]
  const listed = decodeTools(take('tools'))
  const names = new Set(listed.map(({ name }) => name))
  const tools = [...listed, ...inlineTools(messages).filter(({ name }) => !names.has(name))]
  const choice = take('tool_choice')
  Object.assign(native, innerFields('tool_choice', choice, knownOfChoice))
  const request: ExchangeRequest = {
    origin: 'messages',
    model,
    stream: take('stream') === true,
    turns,
    tools,
    ...decodeToolChoice(choice, tools),
    ...decodeReasoning(take('thinking'), take('output_config'), take('output_format'), native),
    ...number('maxOutput', 'max_tokens', take('max_tokens')),
    ...number('temperature', 'temperature', take('temperature')),
    ...number('topP', 'top_p', take('top_p')),
    ...number('topK', 'top_k', take('top_k')),
    ...decodeStops(take('stop_sequences')),
    ...decodeTier(take('service_tier'), take('speed'), native),
    ...decodeUser(take('metadata'), headers, native),
  }
  Object.assign(native, fieldsBeside(rest, nothing))
  return { ...request, ...keepFields('messages', native) }
}

function number<Name extends string>(
  name: Name,
  field: string,
  value: unknown,
): Partial<Record<Name, number>> {
  if (value === undefined || value === null) return {}
  const read = value instanceof ExactNumber ? Number(value.text) : value
  if (typeof read !== 'number' || !Number.isFinite(read)) refuse(field, 'must_be_number')
  return { [name]: read } as Record<Name, number>
}

/** The system prompt as one turn; of its blocks the billing header goes to `native`. */
function decodeSystem(system: unknown, native: JsonObject): Turn[] {
  if (system === undefined || system === null) return []
  const text = asString(system)
  if (text !== undefined) {
    if (text === '') return []
    return [{ role: 'system', parts: [{ type: 'text', text, at: 'system' }], at: 'system' }]
  }
  if (!Array.isArray(system)) refuse('system', 'must_be_string_or_text_blocks')
  const parts = decodeContent(system, 'system')
  const [first] = parts
  if (first?.type === 'text' && first.text.startsWith('x-anthropic-billing-header:')) {
    native[BILLING_FIELD] = system[0]
    parts.shift()
  }
  return parts.length === 0 ? [] : [{ role: 'system', parts, at: 'system' }]
}

/** A string or an array of blocks as parts. */
function decodeContent(content: unknown, at: string): Part[] {
  const text = asString(content)
  if (text !== undefined) return [{ type: 'text', text, at }]
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) refuse(at, 'must_be_string_or_blocks')
  return content.map((item, index) => {
    const block = asObject(item)
    if (!block) refuse(`${at}[${index}]`, 'must_be_object_with_type')
    return decodeBlock(block, `${at}[${index}]`, source)
  })
}

function decodeMessages(messages: unknown): Turn[] {
  if (!Array.isArray(messages)) refuse('messages', 'must_be_turns')
  return messages.flatMap((item, index) => {
    const at = `messages[${index}]`
    const message = asObject(item)
    if (!message) refuse(at, 'must_be_object')
    const { role, content } = message
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      refuse(`${at}.role`, { code: 'must_be_either', values: ['user', 'assistant', 'system'] })
    }
    const turns = splitResults(role, decodeContent(content, `${at}.content`), at)
    const [first] = turns
    if (first && role === 'system') Object.assign(first, decodeStatement(message))
    else if (first) Object.assign(first, ownFields(message, knownOfMessage))
    return turns
  })
}

/** What a system message says beside its text, as Claude Code does for the effort and for reminders. */
function decodeStatement(message: JsonObject): Pick<Turn, 'effort' | 'isFleeting' | 'native'> {
  const { output_config: config, clear_at, ...rest } = message
  const { effort, ...otherConfig } = asObject(config) ?? {}
  const isFleeting = clear_at === 'next_user_message'
  const own = {
    ...rest,
    ...(asObject(config) ? fieldsUnder('output_config', otherConfig) : { output_config: config }),
    ...(isEffort(effort) ? {} : { 'output_config.effort': effort }),
    // The default says nothing.
    ...(isFleeting || clear_at === 'never' ? {} : { clear_at }),
  }
  return {
    ...(isEffort(effort) ? { effort } : {}),
    ...(isFleeting ? { isFleeting } : {}),
    ...ownFields(own, knownOfMessage),
  }
}

/** A user message holds results of tools and other things; in the exchange they are turns of their own. */
function splitResults(role: 'user' | 'assistant' | 'system', parts: Part[], at: string): Turn[] {
  if (role !== 'user') return [{ role, parts, at }]
  const turns: Turn[] = []
  for (const part of parts) {
    const partRole = part.type === 'result' ? 'tool' : 'user'
    const last = turns.at(-1)
    if (last?.role === partRole) last.parts.push(part)
    else turns.push({ role: partRole, parts: [part], at })
  }
  return turns.length === 0 ? [{ role, parts, at }] : turns
}

const modes = new Map<unknown, NonNullable<ReasoningRequest['mode']>>([
  ['disabled', 'off'],
  ['enabled', 'on'],
  ['adaptive', 'adaptive'],
  ['between_tools', 'between-tools'],
])

const efforts: readonly unknown[] = ['low', 'medium', 'high', 'xhigh', 'max']

const isEffort = (effort: unknown): effort is Effort => efforts.includes(effort)

function decodeReasoning(
  thinking: unknown,
  config: unknown,
  oldFormat: unknown,
  native: JsonObject,
): { reasoning?: ReasoningRequest; output?: OutputShape } {
  const { type, budget_tokens, display, ...otherThinking } = asObject(thinking) ?? {}
  const { effort, format, ...otherConfig } = asObject(config) ?? {}
  const mode = modes.get(type)
  const reasoning: ReasoningRequest = {
    ...(mode === undefined ? {} : { mode }),
    ...(isEffort(effort) ? { effort } : {}),
    ...number('budget', 'thinking.budget_tokens', budget_tokens),
    ...(display === 'summarized' ? { isShown: true } : {}),
    ...(display === 'omitted' ? { isShown: false } : {}),
  }
  const isKnownDisplay = reasoning.isShown !== undefined
  const unknown: JsonObject = {
    ...(display !== undefined && !isKnownDisplay ? { 'thinking.display': display } : {}),
    ...innerFields('output_config.format', format, knownOfFormat),
    ...(type !== undefined && mode === undefined ? { 'thinking.type': type } : {}),
    ...(effort !== undefined && !isEffort(effort) ? { 'output_config.effort': effort } : {}),
    ...fieldsUnder('thinking', otherThinking),
    ...fieldsUnder('output_config', otherConfig),
  }
  Object.assign(native, fieldsBeside(unknown, nothing))
  const shape = asObject(format) ?? asObject(oldFormat)
  const schema = asObject(shape?.schema)
  if (shape && !schema) refuse('output_config.format.schema', 'schema_required')
  return {
    ...(Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    ...(schema ? { output: { type: 'schema', schema } } : {}),
  }
}

function decodeStops(value: unknown): { stop?: string[] } {
  if (value === undefined || value === null) return {}
  if (!Array.isArray(value) || value.some((stop) => typeof stop !== 'string')) {
    refuse('stop_sequences', 'must_be_strings')
  }
  return value.length > 0 ? { stop: value } : {}
}

/** The exchange speaks OpenAI's words, which are more: `default` is `standard_only`, `fast` the speed. */
function decodeTier(tier: unknown, speed: unknown, native: JsonObject): { serviceTier?: string } {
  const word = tier === 'standard_only' ? 'default' : asString(tier)
  if (speed === 'fast') {
    if (word !== undefined) native.service_tier = tier
    return { serviceTier: 'fast' }
  }
  if (typeof speed === 'string') native.speed = speed
  return word === undefined ? {} : { serviceTier: word }
}

/** Claude Code's session is the best key for another vendor's cache, its user id the next. */
function decodeUser(
  metadata: unknown,
  headers: Readonly<JsonObject>,
  native: JsonObject,
): { user?: string; cacheKey?: string } {
  const { user_id, ...rest } = asObject(metadata) ?? {}
  Object.assign(native, fieldsUnder('metadata', rest))
  const user = asString(user_id)
  const session = asString(headers['x-claude-code-session-id'])
  const key = session ?? (user === undefined ? undefined : digest(user).slice(0, 32))
  return {
    ...(user === undefined ? {} : { user }),
    ...(key === undefined ? {} : { cacheKey: key }),
  }
}
