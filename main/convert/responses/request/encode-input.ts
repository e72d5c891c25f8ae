import type {
  ExchangeRequest,
  MediaPart,
  Part,
  TextPart,
  ToolCallPart,
  Turn,
} from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import { completeResults } from '../../tools/complete-results.ts'
import { inventedId } from '../../tools/tool-ids.ts'
import { CONTINUE, leadingSystem } from '../../turns.ts'
import { type ClientTool, clientToolNamed } from '../client-tools.ts'
import { INSTRUCTIONS } from './decode-request.ts'
import { encodeAssistant, encodeNative } from './encode-assistant.ts'
import { type EncodeContext, encodeInputText, encodeMedia, placeOf } from './encode-content.ts'
import { encodeResult } from './encode-result.ts'
import { encodeTools } from './encode-tools.ts'

/** How Claude Code opens its system prompt: means nothing to another vendor, and spoils its cache. */
const BILLING = 'x-anthropic-billing-header:'

const itemPlace = /^input\[(\d+)\]/

/** Tools that came in the middle of the input, by the item that brought them. */
export const isFromInput = ({ at }: { at?: string }): boolean =>
  /^input\[\d+\]\.tools/.test(at ?? '')

/** Ids for calls of a format without; the same call of a conversation that is sent again gets the same. */
function withCallIds(turns: readonly Turn[]): Turn[] {
  let count = 0
  return turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) => {
      if (part.type !== 'call') return part
      count++
      if (part.id !== null) return part
      return { ...part, id: inventedId(`${count} ${part.name} ${part.arguments}`) }
    }),
  }))
}

/** One request's conversation on its way to items. */
class InputEncoder {
  readonly items: JsonObject[] = []
  readonly #request: ExchangeRequest
  readonly #context: EncodeContext
  /** Kinds of calls by their ids, which decide what their outputs are. */
  readonly #calls = new Map<string, { part: ToolCallPart; tool: ClientTool | undefined }>()
  /** Where each item stands in the client's body. */
  readonly #places: string[] = []
  #toolsBefore = 0

  constructor(request: ExchangeRequest, context: EncodeContext) {
    this.#request = request
    this.#context = context
  }

  add(turn: Turn): void {
    this.#addTools(turn)
    const place = placeOf(turn)
    if (turn.role === 'assistant') this.#addAssistant(turn)
    else if (turn.role === 'tool') this.#addResults(turn)
    else this.#addMessage(turn)
    while (this.#places.length < this.items.length) this.#places.push(place)
  }

  /** Behind the last turn. */
  finish(): void {
    this.#addTools(null)
    this.#dropLooseReasoning()
    const { rules, loss, isOwn } = this.#context
    const last = this.items.at(-1)
    if (isOwn || rules.prefill || last?.type !== 'message' || last.role !== 'assistant') return
    loss.approximate(this.#places.at(-1) ?? 'input', 'continue_own_words')
    this.#push('user', [{ type: 'input_text', text: CONTINUE }])
  }

  #push(role: string, content: JsonObject[], own: JsonObject = {}): void {
    if (content.length > 0) this.items.push({ type: 'message', role, content, ...own })
  }

  /** Puts tools that came in the middle back where they stood. */
  #addTools(turn: Turn | null): void {
    const { isOwn } = this.#context
    if (!isOwn) return
    const end = turn ? Number(itemPlace.exec(turn.at ?? '')?.[1] ?? 0) : Infinity
    const places = new Set(
      this.#request.tools.flatMap(({ at }) => {
        const index = Number(isFromInput({ at: at ?? '' }) ? itemPlace.exec(at ?? '')?.[1] : NaN)
        return index >= this.#toolsBefore && index < end ? [index] : []
      }),
    )
    for (const index of [...places].sort((one, other) => one - other)) {
      if (this.#request.turns.some(({ at }) => at === `input[${index}]`)) continue
      const tools = this.#toolsAt(`input[${index}]`)
      this.items.push({ type: 'additional_tools', role: 'developer', tools })
    }
    if (turn) this.#toolsBefore = Math.max(this.#toolsBefore, end)
  }

  #toolsAt(place: string): JsonObject[] {
    const tools = this.#request.tools.filter(({ at }) => at?.startsWith(`${place}.tools`))
    return encodeTools(tools, this.#context)
  }

  #addAssistant(turn: Turn): void {
    const { tools } = this.#request
    const clientTool = (part: ToolCallPart) => {
      const tool = part.kind === 'function' ? clientToolNamed(part.name, tools) : undefined
      if (part.id !== null) this.#calls.set(part.id, { part, tool })
      return tool
    }
    const { items, media } = encodeAssistant(turn, clientTool, this.#context)
    this.items.push(...items)
    this.#push('user', media)
  }

  #addResults(turn: Turn): void {
    const moved: MediaPart[] = []
    for (const part of turn.parts) {
      if (part.type !== 'result') {
        this.#addMessage({ ...turn, role: 'user', parts: [part] })
        continue
      }
      const call = this.#calls.get(part.callId ?? '')
      const found = call?.tool?.type === 'tool_search' ? this.#toolsAt(placeOf(part)) : undefined
      const encoded = encodeResult(part, call, this.#context)
      this.items.push({ ...encoded.item, ...(found ? { tools: found } : {}) })
      moved.push(...encoded.moved)
    }
    // Behind all results, which have to stand together.
    this.#push(
      'user',
      moved.flatMap((part) => encodeMedia(part, this.#context)),
    )
  }

  #addMessage(turn: Turn): void {
    const { rules, loss, isOwn } = this.#context
    const isSystem = turn.role === 'system'
    const isDemoted = isSystem && !isOwn && !rules.midSystem
    if (isDemoted) loss.approximate(placeOf(turn), 'reminder_in_words')
    const system = rules.developerRole ? 'developer' : 'system'
    const role = isSystem && !isDemoted ? system : 'user'
    const own = loss.native(turn.native, 'responses', turn.at)
    let content: JsonObject[] = []
    const items = () => {
      this.#push(role, content, own)
      content = []
    }
    for (const part of turn.parts) {
      const encoded = isSystem ? this.#systemPart(part, isDemoted) : this.#userPart(part)
      if (encoded.isItem) items()
      if (encoded.isItem) this.items.push(...encoded.fields)
      else content.push(...encoded.fields)
    }
    // The vendor refuses an empty message, but the turn is the user's.
    const isEmpty = content.length === 0 && !isSystem && turn.parts.every(isText)
    if (isEmpty && (turn.parts.length > 0 || !isOwn)) {
      content.push({ type: 'input_text', text: ' ' })
    }
    items()
  }

  #systemPart(part: Part, isDemoted: boolean): { fields: JsonObject[]; isItem: boolean } {
    if (part.type !== 'text') return this.#userPart(part)
    if (isBilling(part)) {
      this.#context.loss.drop(placeOf(part), 'nothing_to_vendor')
      return { fields: [], isItem: false }
    }
    const text = isDemoted
      ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` }
      : part
    return { fields: encodeInputText(text, this.#context), isItem: false }
  }

  #userPart(part: Part): { fields: JsonObject[]; isItem: boolean } {
    const context = this.#context
    if (part.type === 'text') return { fields: encodeInputText(part, context), isItem: false }
    if (part.type === 'media') return { fields: encodeMedia(part, context), isItem: false }
    if (part.type === 'refusal') {
      return { fields: [{ type: 'input_text', text: part.text }], isItem: false }
    }
    if (part.type === 'native' || part.type === 'hosted') {
      const isItem = part.origin === 'responses' && !/\]\.content/.test(part.at ?? '')
      return { fields: encodeNative(part, context), isItem }
    }
    return context.loss.refuse(placeOf(part), { code: 'not_in_user_turn', kind: part.type })
  }

  /** The vendor refuses thoughts that what they led to does not follow. */
  #dropLooseReasoning(): void {
    const { loss, isOwn } = this.#context
    if (isOwn) return
    for (let index = this.items.length - 1; index >= 0; index--) {
      if (this.items[index]?.type !== 'reasoning') continue
      const next = this.items[index + 1]
      const isFollowed =
        next !== undefined &&
        (next.role === 'assistant' ||
          next.type === 'reasoning' ||
          /_call$/.test(wordOf(next.type ?? '')))
      if (isFollowed) continue
      loss.drop(this.#places[index] ?? 'input', 'thoughts_of_nothing')
      this.items.splice(index, 1)
      this.#places.splice(index, 1)
    }
  }
}

const isText = (part: Part): boolean => part.type === 'text'

const isBilling = (part: TextPart): boolean => part.text.startsWith(BILLING)

/** The system prompt as one text, or null where marks in it have to be kept. */
function instructionsOf(system: readonly Turn[], { rules, loss }: EncodeContext): string | null {
  const parts = system.flatMap((turn) => turn.parts)
  if (!parts.every(isText)) return null
  if (rules.cacheMarks && parts.some(({ cacheMark }) => cacheMark)) return null
  const texts = parts.flatMap((part) => {
    if (part.type !== 'text' || part.text === '') return []
    if (part.cacheMark) {
      loss.approximate(placeOf(part), 'caches_by_itself')
    }
    loss.native(part.native, 'responses', part.at)
    if (!isBilling(part)) return [part.text]
    loss.drop(placeOf(part), 'nothing_to_vendor')
    return []
  })
  return texts.join('\n\n')
}

/** A request's conversation: the system prompt, and the items of everything else. */
export function encodeInput(
  request: ExchangeRequest,
  context: EncodeContext,
): { instructions: string | null; input: JsonObject[] } {
  const encoder = new InputEncoder(request, context)
  let turns: readonly Turn[]
  let instructions: string | null
  if (context.isOwn) {
    // An answer that is gone on from may hold what stands without its other half here.
    const isLeading = ({ at }: Turn) => at === INSTRUCTIONS
    turns = request.turns.filter((turn) => !isLeading(turn))
    const texts = request.turns.filter(isLeading).flatMap(({ parts }) => parts)
    instructions = texts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')
  } else {
    const complete = completeResults(withCallIds(request.turns), context.loss)
    const { system, rest } = leadingSystem(complete)
    instructions = rest.length === 0 ? null : instructionsOf(system, context)
    turns = instructions === null ? complete : rest
  }
  for (const turn of turns) encoder.add(turn)
  encoder.finish()
  return { instructions: instructions === '' ? null : instructions, input: encoder.items }
}
