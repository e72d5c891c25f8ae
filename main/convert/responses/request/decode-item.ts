import { ownValue } from '../../../base/own-value.ts'
import { refuse } from '../../check/check-request.ts'
import { isBlank } from '../../errors/is-blank.ts'
import type { Native, Part, ReasoningPart, ToolResultPart, Turn } from '../../exchange.ts'
import { stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asArray, asObject, asString, wordOf } from '../../json/json-value.ts'
import { readState } from '../../reasoning/reasoning-state.ts'
import { argumentsText } from '../../tools/arguments-text.ts'
import { namelessCall } from '../../tools/nameless-call.ts'
import { type ClientTool, clientToolOfCall, clientToolOfOutput } from '../client-tools.ts'
import { hostedToolOf, isClientItem, isHostedItem } from '../hosted-items.ts'
import { atOf, fieldsBeside, ownNative } from '../own-fields.ts'
import { decodeContent } from './decode-content.ts'

/** Content of one item of an input or output. */
interface DecodedItem {
  role: Turn['role']
  parts: Part[]
  native?: Native
}

const roles: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

/** Ids and states are the item's own business: a history is sent without them, an answer keeps them. */
const ownBusiness = ['type', 'id', 'status', 'created_by']
const knownOfMessage = new Set([...ownBusiness, 'role', 'content'])
const knownOfCall = new Set([
  ...[...ownBusiness, 'call_id', 'name', 'namespace', 'arguments', 'input', 'caller'],
])
const knownOfOutput = new Set([...ownBusiness, 'call_id', 'output', 'caller'])
const knownOfReasoning = new Set([...ownBusiness, 'summary', 'content', 'encrypted_content'])

/** Fields that an item keeps for its own format beside `known`. In an answer that includes its id and state. */
function itemFields(item: JsonObject, known: ReadonlySet<string>, isAnswer: boolean): JsonObject {
  const fields = fieldsBeside(item, known)
  const caller = asObject(item.caller)
  if (caller && caller.type !== 'direct') fields.caller = caller
  if (!isAnswer) return fields
  if (typeof item.id === 'string') fields.item_id = item.id
  const isCut = item.status !== undefined && item.status !== null && item.status !== 'completed'
  if (isCut) fields.status = item.status
  return fields
}

function decodeMessage(item: JsonObject, at: string | undefined): DecodedItem {
  const role = ownValue(roles, asString(item.role) ?? '')
  if (!role) {
    return refuse(`${at ?? 'output'}.role`, {
      code: 'must_be_either',
      values: ['user', 'assistant', 'system', 'developer'],
    })
  }
  const content = decodeContent(item.content, at === undefined ? undefined : `${at}.content`)
  // Empty words of refusal are none.
  const parts = content.filter((part) => part.type !== 'refusal' || part.text !== '')
  const fields = itemFields(item, knownOfMessage, at === undefined)
  if (at !== undefined) return { role, parts, ...ownNative(fields) }
  // An answer has no turns: its parts tell which message they stand in.
  return {
    role,
    parts: parts.map((part) => ({
      ...part,
      ...ownNative({ ...part.native?.fields, ...fields }),
    })),
  }
}

const requireText = (item: JsonObject, field: string, at: string): string =>
  asString(item[field]) ?? refuse(`${at}.${field}`, 'is_required')

/** A call's id in an answer: some vendors give only the item's. */
export const answerCallId = (item: JsonObject): string | null =>
  asString(item.call_id) || asString(item.id) || null

function decodeCall(item: JsonObject, at: string | undefined): DecodedItem {
  const isFreeform = item.type === 'custom_tool_call'
  const namespace = asString(item.namespace)
  const text = isFreeform ? item.input : item.arguments
  if (at === undefined && !item.name) {
    if (isBlank([item.call_id, text])) return { role: 'assistant', parts: [] }
    throw namelessCall()
  }
  return {
    role: 'assistant',
    parts: [
      {
        type: 'call',
        id: at === undefined ? answerCallId(item) : requireText(item, 'call_id', at),
        name: at === undefined ? wordOf(item.name) : requireText(item, 'name', at),
        ...(namespace === undefined ? {} : { namespace }),
        kind: isFreeform ? 'freeform' : 'function',
        arguments: argumentsText(text),
        ...atOf(at),
        ...ownNative(itemFields(item, knownOfCall, at === undefined)),
      },
    ],
  }
}

function decodeClientCall(item: JsonObject, tool: ClientTool, at: string | undefined): DecodedItem {
  const isAnswer = at === undefined
  const id = asString(item.call_id) ?? asString(item.id) ?? null
  return {
    role: 'assistant',
    parts: [
      {
        type: 'call',
        id,
        name: tool.type,
        kind: 'function',
        arguments: stringifyExact(tool.readCall(item) ?? {}),
        ...atOf(at),
        ...(isAnswer ? ownNative({ item }) : {}),
      },
    ],
  }
}

function decodeOutput(item: JsonObject, at: string | undefined): DecodedItem {
  const tool = clientToolOfOutput(item)
  const parts = tool
    ? [{ type: 'text' as const, text: tool.readOutput(item) }]
    : decodeContent(item.output, at === undefined ? undefined : `${at}.output`)
  const result: ToolResultPart = {
    type: 'result',
    // The vendor's own types give outputs of a local shell no other id.
    callId: asString(item.call_id) ?? asString(item.id) ?? null,
    name: tool?.type ?? null,
    kind: item.type === 'custom_tool_call_output' ? 'freeform' : 'function',
    isError: item.type === 'apply_patch_call_output' && item.status === 'failed',
    parts: parts.flatMap((part) =>
      part.type === 'refusal' ? { type: 'text' as const, text: part.text } : part,
    ),
    ...atOf(at),
    ...(tool ? {} : ownNative(itemFields(item, knownOfOutput, at === undefined))),
  }
  return { role: 'tool', parts: [result] }
}

/** The texts of a thought; none where all are empty. */
function textsOf(value: unknown): string[] {
  const texts = asArray(value).flatMap((one) => asString(asObject(one)?.text) ?? [])
  return texts.every((text) => text === '') ? [] : texts
}

function decodeReasoning(item: JsonObject, at: string | undefined): DecodedItem {
  const summary = textsOf(item.summary)
  const raw = textsOf(item.content)
  const isRaw = summary.length === 0 && raw.length > 0
  const encrypted = asString(item.encrypted_content) ?? ''
  const id = asString(item.id)
  const read = encrypted === '' ? undefined : readState(encrypted, 'responses', 'encrypted')
  // The mark of another vendor's thoughts that came without state.
  const isBare = read?.data === ''
  const state = isBare ? undefined : read
  const isOwn = state?.origin === 'responses' && state.data === encrypted
  // Without its content a thought is known by its id alone, to the vendor that keeps it.
  const kept = !read && id !== undefined && raw.length === 0 ? { item_id: id } : {}
  const part: ReasoningPart = {
    type: 'reasoning',
    sections: isRaw ? raw : summary,
    // Raw thoughts go back to this vendor, which has not thought these.
    form: isRaw && !isBare ? 'raw' : 'summary',
    ...(state ? { state: isOwn && id !== undefined ? { ...state, id } : state } : {}),
    ...atOf(at),
    ...ownNative({
      ...itemFields(item, knownOfReasoning, at === undefined),
      ...(raw.length > 0 && !isRaw ? { content: item.content } : {}),
      ...kept,
    }),
  }
  return { role: 'assistant', parts: [part] }
}

const isReference = (item: JsonObject): boolean =>
  item.type === 'item_reference' ||
  (item.type === undefined || item.type === null
    ? item.role === undefined && typeof item.id === 'string'
    : false)

/**
 * One item of an input or output. `at` is its path in the client's body; without it the item belongs to an
 * answer. What the exchange cannot hold is kept whole.
 */
export function decodeItem(item: JsonObject, at?: string): DecodedItem {
  const type = asString(item.type) ?? 'message'
  if (isReference(item)) {
    const value = { ...item, type: 'item_reference' }
    return {
      role: 'assistant',
      parts: [{ type: 'native', origin: 'responses', value, ...atOf(at) }],
    }
  }
  if (type === 'message') return decodeMessage(item, at)
  if (type === 'function_call' || type === 'custom_tool_call') return decodeCall(item, at)
  // Results stand in requests only; what an answer says of one was made by the vendor's own tool.
  const isOutput = type === 'function_call_output' || type === 'custom_tool_call_output'
  if (at !== undefined && (isOutput || clientToolOfOutput(item))) return decodeOutput(item, at)
  if (type === 'reasoning') return decodeReasoning(item, at)
  const called = clientToolOfCall(item)
  if (called) return decodeClientCall(item, called, at)
  const isUsers = isClientItem(type)
  if (isHostedItem(type)) {
    const tool = hostedToolOf(type)
    return {
      role: isUsers ? 'user' : 'assistant',
      parts: [{ type: 'hosted', tool, origin: 'responses', value: item, ...atOf(at) }],
    }
  }
  return {
    role: at === undefined ? 'assistant' : 'user',
    parts: [{ type: 'native', origin: 'responses', value: item, ...atOf(at) }],
  }
}
