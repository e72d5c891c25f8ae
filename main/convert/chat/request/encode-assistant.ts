import { ownValue } from '../../../base/own-value.ts'
import type { RequestTarget } from '../../conversion.ts'
import type {
  CacheMark,
  ExchangeRequest,
  MediaPart,
  ReasoningPart,
  ToolCallPart,
  Turn,
} from '../../exchange.ts'
import { readArguments, stringifyExact } from '../../json/exact-json.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { wordOf } from '../../json/json-value.ts'
import { NO_SIGNATURE } from '../../reasoning/no-signature.ts'
import { REASONING_GAP } from '../decode-reasoning.ts'
import { writeThought } from '../leading-thought.ts'
import { keptFields } from '../own-fields.ts'
import { detailText, fieldsOfState, writeDetail } from '../reasoning-details.ts'
import { contentOf } from './content-of.ts'
import type { ContentEncoder } from './encode-content.ts'

export interface EncodedAssistant {
  /** Null where nothing is left to send. */
  message: JsonObject | null
  /** Parts that an assistant's message cannot hold. */
  after: JsonObject[]
}

/** Builds one assistant's message out of a turn's parts. */
class AssistantEncoder {
  readonly #request: ExchangeRequest
  readonly #target: RequestTarget
  readonly #content: ContentEncoder
  readonly #ids: readonly string[]
  readonly #isFromChat: boolean
  readonly #texts: JsonObject[] = []
  readonly #calls: JsonObject[] = []
  readonly #thoughts: string[] = []
  readonly #details: JsonObject[] = []
  readonly #blocks: JsonObject[] = []
  readonly #images: JsonObject[] = []
  readonly #after: JsonObject[] = []
  readonly #rest: JsonObject = {}
  /** The part before decides how a text is joined to the last one. */
  #last: 'text' | 'reasoning' | 'other' | null = null
  /** The message that the last text came from: `messages[3`. */
  #lastPlace: string | undefined
  #extra: JsonObject | null = null

  constructor(
    request: ExchangeRequest,
    target: RequestTarget,
    content: ContentEncoder,
    ids: readonly string[],
  ) {
    this.#request = request
    this.#target = target
    this.#content = content
    this.#ids = ids
    this.#isFromChat = request.origin === 'chat'
  }

  encode(turn: Turn): EncodedAssistant {
    const { loss, rules } = this.#target
    for (const part of turn.parts) {
      const at = part.at ?? turn.at ?? loss.field('turns')
      switch (part.type) {
        case 'text':
          this.#addText(this.#content.encode(part), part.at)
          if (part.state) this.#addTextState(part.state, at)
          break
        case 'native':
          this.#addText(this.#content.encode(part))
          break
        case 'refusal':
          this.#addRefusal(part.text)
          break
        case 'reasoning':
          this.#addReasoning(part, at)
          break
        case 'call':
          this.#addCall(part, at)
          break
        case 'media':
          this.#addMedia(part, at)
          break
        case 'hosted':
          loss.drop(at, 'other_vendors_tool')
          break
        case 'result':
          loss.drop(at, 'result_of_assistant')
      }
      if (part.type !== 'hosted') this.#last = this.#kindOf(part.type)
    }
    const first = this.#calls[0]
    if (first && rules.thoughtSignatures && !first.extra_content) {
      first.extra_content = { google: { thought_signature: NO_SIGNATURE } }
    }
    return { message: this.#message(turn), after: this.#after }
  }

  #kindOf(type: string): 'text' | 'reasoning' | 'other' {
    return type === 'text' || type === 'reasoning' ? type : 'other'
  }

  /**
   * Neighbours of one message are one text that its vendor cut, for citations or by chance; others get a
   * blank line between them.
   */
  #addText(parts: readonly JsonObject[], at?: string): void {
    const place = at?.split(']', 1)[0]
    const isNext = this.#last === 'text' && this.#lastPlace === place
    this.#lastPlace = place
    for (const part of parts) {
      const last = this.#texts.at(-1)
      const isPlain = Object.keys(part).length === 2 && part.type === 'text'
      if (!last || this.#isFromChat || !isPlain || Object.keys(last).length !== 2) {
        this.#texts.push(part)
        continue
      }
      last.text = `${last.text}${isNext ? '' : '\n\n'}${part.text}`
    }
  }

  #addRefusal(text: string): void {
    if (this.#isFromChat || this.#target.rules.openaiFields) {
      this.#rest.refusal = `${this.#rest.refusal ?? ''}${text}`
    } else this.#addText([{ type: 'text', text }])
  }

  #addTextState(state: NonNullable<ReasoningPart['state']>, at: string): void {
    const own = fieldsOfState(state)
    if (own?.extra_content) this.#rest.extra_content = own.extra_content
    else if (this.#takesSignature(state)) {
      this.#rest.extra_content = { google: { thought_signature: state.data } }
    } else this.#target.loss.drop(at, 'other_vendor_state')
  }

  /** Google's own layer of this format takes its signatures; a client of this format got them from one. */
  #takesSignature(state: NonNullable<ReasoningPart['state']>): boolean {
    const { rules } = this.#target
    return state.origin === 'generate-content' && (rules.thoughtSignatures || this.#isFromChat)
  }

  #addReasoning(part: ReasoningPart, at: string): void {
    const { rules, loss } = this.#target
    const text = part.sections.join(REASONING_GAP)
    const isCarried = this.#addReasoningState(part, text, at)
    if (text === '') return
    const isWanted =
      rules.resendReasoning || (this.#isFromChat && !rules.openaiFields && !isCarried)
    if (rules.inlineThoughts && !this.#isFromChat) {
      this.#addText([{ type: 'text', text: writeThought(text) }])
    } else if (isWanted) this.#thoughts.push(text)
    else if (!isCarried) loss.drop(at, 'earlier_thoughts')
  }

  /** Does what was written carry the readable text, too? */
  #addReasoningState({ state, native }: ReasoningPart, text: string, at: string): boolean {
    const kept = keptFields(native).reasoning_detail as JsonObject | undefined
    const own = state ? fieldsOfState(state) : (kept ?? null)
    if (own?.extra_content) {
      this.#extra = own.extra_content as JsonObject
      return false
    }
    if (own) {
      this.#details.push(writeDetail(own, text))
      return ownValue(detailText, wordOf(own.type)) !== undefined
    }
    if (!state) return false
    if (this.#takesSignature(state)) {
      this.#extra = { google: { thought_signature: state.data } }
      return false
    }
    // A client of this format that holds Anthropic's own blocks has them from such an upstream (LiteLLM).
    if (this.#isFromChat && state.origin === 'messages' && state.model === null) {
      this.#blocks.push(
        state.kind === 'redacted'
          ? { type: 'redacted_thinking', data: state.data }
          : { type: 'thinking', thinking: text, signature: state.data },
      )
      return true
    }
    this.#target.loss.drop(at, 'other_vendor_state')
    return false
  }

  #addCall(part: ToolCallPart, at: string): void {
    const { loss } = this.#target
    const { state } = part
    const own = state ? fieldsOfState(state)?.extra_content : undefined
    let extra = own ?? this.#extra
    if (state && !own) {
      if (this.#takesSignature(state)) extra = { google: { thought_signature: state.data } }
      else loss.drop(at, 'other_vendor_state')
    }
    this.#extra = null
    const { name, cacheMark } = part
    this.#calls.push({
      ...loss.native(part.native, 'chat', part.at),
      ...(cacheMark && this.#isFromChat ? { cache_control: controlOf(cacheMark) } : {}),
      id: this.#ids[this.#calls.length],
      ...(part.kind === 'freeform'
        ? { type: 'custom', custom: { name, input: part.arguments } }
        : { type: 'function', function: { name, arguments: this.#arguments(part, at) } }),
      ...(extra ? { extra_content: extra } : {}),
    })
  }

  /** Vendors read them as JSON of an object, and refuse the whole conversation for one that is none. */
  #arguments({ arguments: text }: ToolCallPart, at: string): string {
    if (this.#isFromChat) return text
    if (text.trim() === '') return '{}'
    const { value, isRaw } = readArguments(text)
    if (!isRaw) return text
    this.#target.loss.approximate(at, 'arguments_in_raw')
    return stringifyExact(value)
  }

  #addMedia(part: MediaPart, at: string): void {
    const { source } = part
    if (part.kind === 'audio' && source.type === 'file' && source.origin === 'chat') {
      this.#rest.audio = { id: source.id }
      return
    }
    const parts = this.#content.encode(part)
    if (this.#isFromChat) {
      this.#images.push(...parts)
      return
    }
    this.#target.loss.approximate(at, 'in_user_message')
    this.#after.push({ type: 'text', text: 'From the assistant’s answer above:' }, ...parts)
  }

  #reasoningFields(): JsonObject {
    const { resendReasoning } = this.#target.rules
    const isOwed = resendReasoning && this.#calls.length > 0
    const text = this.#thoughts.join(REASONING_GAP)
    const field =
      this.#isFromChat && this.#request.reasoning?.isShown !== undefined && !resendReasoning
        ? 'reasoning'
        : 'reasoning_content'
    return {
      ...(text !== '' || isOwed ? { [field]: text } : {}),
      ...(this.#details.length > 0 ? { reasoning_details: this.#details } : {}),
      ...(this.#blocks.length > 0 ? { thinking_blocks: this.#blocks } : {}),
    }
  }

  #message(turn: Turn): JsonObject | null {
    const own = this.#target.loss.native(turn.native, 'chat', turn.at)
    const hasCalls = this.#calls.length > 0
    const hasRest = Object.keys(this.#rest).length > 0 || this.#images.length > 0
    if (this.#texts.length === 0 && !hasCalls && !hasRest && !this.#isFromChat) return null
    const isEmpty = this.#texts.length === 0
    return {
      ...own,
      role: 'assistant',
      content: isEmpty
        ? hasCalls || hasRest
          ? null
          : ''
        : contentOf(this.#texts, '', this.#isFromChat),
      ...this.#reasoningFields(),
      ...this.#rest,
      ...(this.#images.length > 0 ? { images: this.#images } : {}),
      ...(hasCalls ? { tool_calls: this.#calls } : {}),
    }
  }
}

/** As compatible layers take it; OpenAI's own marks don't stand on calls. */
const controlOf = ({ ttl }: CacheMark) => ({ type: 'ephemeral', ...(ttl === null ? {} : { ttl }) })

/**
 * An assistant's turn as a message. `ids` are its calls' ids as the upstream takes them, in order. Of the
 * reasoning only what this upstream made goes back, and readable text where the model wants it in a tool loop.
 */
export const encodeAssistant = (
  turn: Turn,
  request: ExchangeRequest,
  target: RequestTarget,
  content: ContentEncoder,
  ids: readonly string[],
): EncodedAssistant => new AssistantEncoder(request, target, content, ids).encode(turn)
