import type { RequestTarget } from '../../conversion.ts'
import type {
  MediaPart,
  NativePart,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from '../../exchange.ts'
import { putInner } from '../../foreign/kept-fields.ts'
import { readArguments } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import type { ModelRules } from '../../model/model-rules.ts'
import { inventedId, toolId } from '../../tools/tool-ids.ts'
import { encodeMark } from './cache-marks.ts'
import { encodeMedia } from './encode-media.ts'

/**
 * Ids of calls and results, made to fit and unique in the conversation: some vendors give none, others count
 * from zero in every turn. They depend only on what came before, so a history that is sent again reads the
 * same. Results have to come in the order of their calls.
 */
class CallIds {
  readonly #rule: ModelRules['toolId']
  readonly #used = new Set<string>()
  #count = 0
  /** Calls whose results are still to come. */
  #open: { clientId: string | null; id: string }[] = []

  constructor(rule: ModelRules['toolId']) {
    this.#rule = rule
  }

  ofCall({ id: clientId, name, arguments: text }: ToolCallPart): string {
    const number = this.#count++
    const fitting =
      clientId === null ? inventedId(`${number} ${name} ${text}`) : toolId(clientId, this.#rule)
    const id = this.#used.has(fitting) ? inventedId(`${number} ${fitting}`) : fitting
    this.#used.add(id)
    this.#open.push({ clientId, id })
    return id
  }

  ofResult({ callId }: ToolResultPart): string {
    const index = this.#open.findIndex(({ clientId }) => clientId === callId)
    const [call] = this.#open.splice(Math.max(0, index), 1)
    return call?.id ?? toolId(callId ?? '', this.#rule)
  }
}

/** The shaped turns as `messages`. */
export function encodeMessages(turns: readonly Turn[], target: RequestTarget): JsonObject[] {
  const ids = new CallIds(target.rules.toolId)
  return turns.flatMap((turn) => {
    const content = turn.parts
      .map((part) => encodePart(part, target, ids))
      .filter((block): block is JsonObject => block !== null)
    const own = target.loss.native(turn.native, 'messages', turn.at)
    const stated = statementOf(turn)
    const others = putInner(stated, own, ['output_config'])
    if (content.length === 0 && turn.effort === undefined) return []
    return [{ role: turn.role, content, ...stated, ...others }]
  })
}

/** What a system turn says beside its text. */
const statementOf = ({ effort, isFleeting }: Turn): JsonObject => ({
  ...(effort === undefined ? {} : { output_config: { effort } }),
  ...(isFleeting ? { clear_at: 'next_user_message' } : {}),
})

/** Text blocks of the system prompt. */
export function encodeSystem(parts: readonly TextPart[], target: RequestTarget): JsonObject[] {
  return parts.map((part) => encodeText(part, target))
}

/** One part as its block; null for what would be an empty one. */
function encodePart(part: Part, target: RequestTarget, ids: CallIds): JsonObject | null {
  const { loss, rules } = target
  const mark = () => (rules.cacheMarks ? encodeMark(part.cacheMark, part.at, loss) : {})
  const own = () => loss.native(part.native, 'messages', part.at)
  switch (part.type) {
    case 'text':
      // Another vendor's result without its call comes as text, which may be empty.
      return part.text === '' && !part.native ? null : encodeText(part, target)
    case 'media': {
      const block = encodeMedia(part, rules, loss)
      return block && { ...block, ...mark() }
    }
    case 'reasoning': {
      const { state, sections } = part
      if (!state) return null
      if (state.kind === 'redacted') {
        return { type: 'redacted_thinking', data: state.data, ...own() }
      }
      return {
        type: 'thinking',
        thinking: sections.join('\n\n'),
        signature: state.data,
        ...own(),
      }
    }
    case 'call': {
      const { value, isRaw } = readArguments(part.arguments)
      if (isRaw) loss.approximate(part.at ?? loss.field('turns'), 'arguments_no_object')
      return {
        type: 'tool_use',
        id: ids.ofCall(part),
        name: part.name,
        input: value,
        ...own(),
        ...mark(),
      }
    }
    case 'result':
      return {
        type: 'tool_result',
        tool_use_id: ids.ofResult(part),
        ...resultContent(part, target),
        ...(part.isError ? { is_error: true } : {}),
        ...own(),
        ...mark(),
      }
    case 'hosted':
    case 'native':
      return part.value
    default:
      return null
  }
}

/** A citation can only point at what the vendor itself found: another's is left out. */
function encodeText(part: TextPart, { rules, loss }: RequestTarget): JsonObject {
  const own = loss.native(part.native, 'messages', part.at)
  const mark = rules.cacheMarks ? encodeMark(part.cacheMark, part.at, loss) : {}
  const whole = own.search_result ?? own.tool_reference ?? own.tool_addition ?? own.tool_removal
  if (whole) {
    const { cache_control: _, ...block } = whole as JsonObject
    return { ...block, ...mark }
  }
  const citations = (part.citations ?? []).flatMap(({ native }) =>
    native?.origin === 'messages' ? [native.fields] : [],
  )
  if (citations.length < (part.citations?.length ?? 0)) {
    loss.drop(`${part.at ?? loss.field('turns')}.citations`, 'other_vendors_sources')
  }
  return {
    type: 'text',
    text: part.text,
    ...(citations.length > 0 ? { citations } : {}),
    ...own,
    ...mark,
  }
}

/** One plain text as a string, everything else as blocks. A failure has to say something. */
function resultContent(part: ToolResultPart, target: RequestTarget): JsonObject {
  const blocks = part.parts
    .map((inner) => innerBlock(inner, target))
    .filter((block): block is JsonObject => block !== null)
  const [only] = blocks
  if (!only) return part.isError ? { content: '[no message]' } : {}
  const isPlain = Object.keys(only).length === 2 && only.type === 'text'
  return { content: blocks.length === 1 && isPlain ? only.text : blocks }
}

function innerBlock(
  part: TextPart | MediaPart | NativePart,
  target: RequestTarget,
): JsonObject | null {
  if (part.type === 'native') return part.value
  if (part.type === 'text') return encodeText(part, target)
  const block = encodeMedia(part, target.rules, target.loss)
  if (!block || !target.rules.cacheMarks) return block
  return { ...block, ...encodeMark(part.cacheMark, part.at, target.loss) }
}
