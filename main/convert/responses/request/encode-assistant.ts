import type {
  Citation,
  HostedPart,
  NativePart,
  Part,
  ReasoningPart,
  ReasoningState,
  ToolCallPart,
  Turn,
} from '../../exchange.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asObject } from '../../json/json-value.ts'
import { stateFor } from '../../reasoning/reasoning-state.ts'
import type { ClientTool } from '../client-tools.ts'
import { readItemId } from '../item-ids.ts'
import { fieldsBeside, keptFields } from '../own-fields.ts'
import { type EncodeContext, encodeMedia, encodeOutputText, placeOf } from './encode-content.ts'

/** A piece of this vendor's own, with its id only where the vendor keeps what it stands for. */
export function encodeNative(part: NativePart | HostedPart, context: EncodeContext): JsonObject[] {
  const { loss } = context
  if (part.origin === 'responses') return [part.value]
  loss.drop(placeOf(part), 'other_vendors_tool_in_text')
  return []
}

/** An item's id, where the vendor keeps its items; ids that this gateway made are never its. */
function keptId(id: unknown, { isStateless }: EncodeContext): JsonObject {
  return isStateless || typeof id !== 'string' || readItemId(id) ? {} : { id }
}

const knownOfKept = new Set(['item_id', 'content', 'logprobs', 'item'])

const restOf = (part: Part): JsonObject => fieldsBeside(keptFields(part.native), knownOfKept)

const asTexts = (type: string, sections: readonly string[]): JsonObject[] =>
  sections.map((text) => ({ type, text }))

function stateItem(state: ReasoningState, context: EncodeContext): JsonObject {
  return {
    type: 'reasoning',
    ...keptId(state.id, context),
    // The vendor reads the encrypted thoughts, and checks a summary that it did not write.
    summary: [],
    encrypted_content: state.data,
  }
}

function encodeReasoning(part: ReasoningPart, context: EncodeContext): JsonObject[] {
  const { loss, rules, isOwn, isStateless } = context
  const state = stateFor(part.state, 'responses')
  const kept = keptFields(part.native)
  const summary = isOwn && part.form === 'summary' ? asTexts('summary_text', part.sections) : []
  const raw = part.form === 'raw' ? asTexts('reasoning_text', part.sections) : []
  const content = Array.isArray(kept.content) ? kept.content : raw
  if (state) {
    return [
      {
        ...stateItem(state, context),
        ...(isOwn ? { summary, ...restOf(part) } : {}),
        ...(isOwn && content.length > 0 ? { content } : {}),
      },
    ]
  }
  const isKnown = typeof kept.item_id === 'string' && !isStateless
  if (isOwn && (isKnown || content.length > 0) && !part.state) {
    return [
      {
        type: 'reasoning',
        ...keptId(kept.item_id, context),
        summary,
        ...(content.length > 0 ? { content } : {}),
        ...restOf(part),
      },
    ]
  }
  if (rules.resendReasoning && part.sections.length > 0) {
    return [{ type: 'reasoning', summary: [], content: asTexts('reasoning_text', part.sections) }]
  }
  loss.drop(placeOf(part), 'unreadable_thoughts')
  return []
}

/** A call; one of a tool that the vendor defines is an item of that tool's own. */
function encodeCall(
  part: ToolCallPart,
  tool: ClientTool | undefined,
  context: EncodeContext,
): JsonObject {
  const kept = keptFields(part.native)
  const id = keptId(kept.item_id, context)
  if (tool) {
    const input = readArguments(part.arguments).value
    const whole = asObject(kept.item)
    const fields = { status: 'completed', ...tool.writeCall(input) }
    return whole ?? { type: tool.callType, ...id, call_id: part.id ?? '', ...fields }
  }
  const { loss } = context
  const named = {
    ...id,
    call_id: part.id ?? '',
    name: part.name,
    ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
  }
  const rest = loss.native(part.native, 'responses', part.at)
  const own = fieldsBeside(rest, knownOfKept)
  if (part.kind === 'freeform') {
    return { type: 'custom_tool_call', ...named, input: part.arguments, ...own }
  }
  const text = part.arguments.trim() === '' ? '{}' : part.arguments
  return { type: 'function_call', ...named, arguments: text, ...own }
}

/** Thoughts for the state on a text or a call: the vendor's own thoughts stand before their result. */
function stateBefore(
  part: Part,
  before: JsonObject | undefined,
  context: EncodeContext,
): JsonObject[] {
  if (part.type !== 'text' && part.type !== 'call') return []
  const state = stateFor(part.state, 'responses')
  if (state) return before?.encrypted_content === state.data ? [] : [stateItem(state, context)]
  if (part.state) context.loss.approximate(placeOf(part), 'without_other_reasoning')
  return []
}

/** Does a part go into the same message as the one before it? */
const sharesMessage = (part: Part, other: Part | undefined): boolean =>
  other !== undefined && keptFields(part.native).item_id === keptFields(other.native).item_id

/**
 * Without it newer models take what they said before a call for a final answer, and stop early: the API reference,
 * `phase` of a message (https://developers.openai.com/api/reference/resources/responses/methods/create). Clients of
 * other formats have no word for it, but their turns show it.
 */
function phaseOf(turn: Turn, index: number, { rules, isOwn }: EncodeContext): JsonObject {
  if (isOwn || !rules.phases) return {}
  const isBeforeCall = turn.parts.some(({ type }, place) => place > index && type === 'call')
  return { phase: isBeforeCall ? 'commentary' : 'final_answer' }
}

/**
 * The items of an assistant's turn, in its order, and the images that it holds: the vendor's own format has
 * none there, so they go behind it. `clientTool` tells the calls of tools that the vendor defines.
 */
export function encodeAssistant(
  turn: Turn,
  clientTool: (call: ToolCallPart) => ClientTool | undefined,
  context: EncodeContext,
): { items: JsonObject[]; media: JsonObject[] } {
  const { loss } = context
  const items: JsonObject[] = []
  const media: JsonObject[] = []
  const own = loss.native(turn.native, 'responses', turn.at)
  let content: JsonObject[] | null = null
  let last: Part | undefined
  for (const [index, part] of turn.parts.entries()) {
    if (part.type === 'text' || part.type === 'refusal') {
      items.push(...stateBefore(part, items.at(-1), context))
      if (part.text === '') continue
      if (!content || !sharesMessage(part, last)) {
        content = []
        const id = keptId(keptFields(part.native).item_id, context)
        const { status: _, ...rest } = restOf(part)
        const phase = phaseOf(turn, index, context)
        items.push({
          type: 'message',
          ...id,
          role: 'assistant',
          content,
          ...phase,
          ...rest,
          ...own,
        })
      }
      const isForeign = ({ native }: Citation) => native && native.origin !== 'responses'
      if (part.type === 'text' && part.citations?.some(isForeign))
        loss.approximate(`${placeOf(part)}.citations`, 'vendors_fields_left_out')
      content.push(
        part.type === 'text' ? encodeOutputText(part) : { type: 'refusal', refusal: part.text },
      )
      last = part
      continue
    }
    content = null
    if (part.type === 'reasoning') items.push(...encodeReasoning(part, context))
    else if (part.type === 'call') {
      items.push(...stateBefore(part, items.at(-1), context))
      items.push(encodeCall(part, clientTool(part), context))
    } else if (part.type === 'media') {
      loss.approximate(placeOf(part), 'as_users')
      media.push(...encodeMedia(part, context))
    } else if (part.type === 'hosted' || part.type === 'native') {
      items.push(...encodeNative(part, context))
    }
  }
  return { items, media }
}
