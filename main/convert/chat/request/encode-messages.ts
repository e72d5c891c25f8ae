import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, Part, ToolResultPart, Turn } from '../../exchange.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { inventedId, toolId } from '../../tools/tool-ids.ts'
import { CONTINUE, completeResults, leadingSystem, mergeTurns } from '../../turns.ts'
import { contentOf } from './content-of.ts'
import { encodeAssistant } from './encode-assistant.ts'
import { ContentEncoder } from './encode-content.ts'

/** Claude Code's first system block: means nothing elsewhere, and spoils the cache of what follows. */
const BILLING_HEADER = 'x-anthropic-billing-header:'

const SEE_BELOW = '[More of this result is in the message of the user below.]'
const FAILED = 'Error: the tool failed.'
const BRIDGE = 'OK.'
const GAP = '\n\n'

class MessagesEncoder {
  readonly #request: ExchangeRequest
  readonly #target: RequestTarget
  readonly #content: ContentEncoder
  readonly #isFromChat: boolean
  readonly #messages: JsonObject[] = []
  /** Ids of the calls whose results come next. */
  #ids: string[] = []
  /** Parts for a message of the user behind the results, which must all stand together. */
  #after: JsonObject[] = []

  constructor(request: ExchangeRequest, target: RequestTarget) {
    this.#request = request
    this.#target = target
    this.#isFromChat = request.origin === 'chat'
    this.#content = new ContentEncoder(target, request.origin)
  }

  encode(sentence: string | undefined): JsonObject[] {
    const { loss } = this.#target
    const { system, rest } = leadingSystem(completeResults(this.#request.turns, loss))
    this.#addSystem(system, sentence)
    // A client of this format has its messages as it wants them.
    const merged = mergeTurns(rest, (a, b) => !this.#isFromChat && a === b && a === 'assistant')
    for (const [index, turn] of merged.entries()) {
      if (turn.role === 'tool') this.#addResults(turn)
      else {
        this.#flush()
        if (turn.role === 'assistant') this.#addAssistant(turn, index)
        else if (turn.role === 'user') this.#addUser(turn)
        else this.#addLateSystem(turn)
      }
    }
    this.#flush()
    this.#addContinue(merged.at(-1))
    return this.#bridged()
  }

  /**
   * Mistral refuses a message of the user right behind a result (400, code 3230: avante-corp/avante.nvim#2695,
   * datapizza-labs/datapizza-ai#98), where Claude Code puts its reminders.
   */
  #bridged(): JsonObject[] {
    const { rules, loss } = this.#target
    if (rules.userAfterTool || this.#isFromChat) return this.#messages
    return this.#messages.flatMap((message, index) => {
      if (message.role !== 'user' || this.#messages[index - 1]?.role !== 'tool') return [message]
      loss.approximate(loss.field('turns'), 'answer_between')
      return [{ role: 'assistant', content: BRIDGE }, message]
    })
  }

  get #systemRole(): string {
    return this.#target.rules.developerRole ? 'developer' : 'system'
  }

  #own(turn: Turn): JsonObject {
    return this.#target.loss.native(turn.native, 'chat', turn.at)
  }

  #texts(parts: readonly Part[], turn: Turn): JsonObject[] {
    const { loss } = this.#target
    return parts.flatMap((part) => {
      if (part.type === 'text' || part.type === 'native') return this.#content.encode(part)
      if (part.type === 'media' && part.source.type === 'text') return this.#content.encode(part)
      loss.drop(part.at ?? turn.at ?? loss.field('turns'), 'only_text_in_system')
      return []
    })
  }

  #isBilling(part: Part | undefined): boolean {
    return (
      this.#request.origin === 'messages' &&
      part?.type === 'text' &&
      part.text.startsWith(BILLING_HEADER)
    )
  }

  #addSystem(turns: readonly Turn[], sentence: string | undefined): void {
    const { loss } = this.#target
    const role = this.#systemRole
    const all: JsonObject[] = []
    for (const [index, turn] of turns.entries()) {
      const isBilling = index === 0 && this.#isBilling(turn.parts[0])
      if (isBilling) loss.drop(turn.parts[0]?.at ?? 'system', 'claude_code_note')
      const parts = this.#texts(isBilling ? turn.parts.slice(1) : turn.parts, turn)
      const own = this.#own(turn)
      if (this.#isFromChat) {
        this.#messages.push({ ...own, role, content: contentOf(parts, GAP, true) })
      } else all.push(...parts)
    }
    if (sentence !== undefined) all.push({ type: 'text', text: sentence })
    if (all.length > 0) this.#messages.push({ role, content: contentOf(all, GAP, false) })
  }

  #addLateSystem(turn: Turn): void {
    const { rules, loss } = this.#target
    const parts = this.#texts(turn.parts, turn)
    const content = contentOf(parts, GAP, this.#isFromChat)
    if (parts.length === 0 && !this.#isFromChat) return
    if (rules.midSystem || this.#isFromChat) {
      this.#messages.push({ ...this.#own(turn), role: this.#systemRole, content })
      return
    }
    loss.approximate(turn.at ?? loss.field('turns'), 'later_system_as_user')
    const text = parts.map((part) => part.text).join(GAP)
    const reminder = `<system-reminder>\n${text}\n</system-reminder>`
    this.#messages.push({ role: 'user', content: reminder })
  }

  #addUser(turn: Turn): void {
    const { loss } = this.#target
    const parts = turn.parts.flatMap((part) => {
      if (part.type === 'text' || part.type === 'media' || part.type === 'native') {
        return this.#content.encode(part)
      }
      loss.drop(part.at ?? turn.at ?? loss.field('turns'), 'not_in_user_message')
      return []
    })
    const isEmpty = parts.length === 0
    const content = isEmpty && !this.#isFromChat ? ' ' : contentOf(parts, GAP, this.#isFromChat)
    this.#messages.push({ ...this.#own(turn), role: 'user', content })
  }

  #addAssistant(turn: Turn, index: number): void {
    const { rules } = this.#target
    this.#ids = turn.parts
      .filter((part) => part.type === 'call')
      .map(({ id, name }, place) =>
        toolId(id ?? inventedId(`${index} ${place} ${name}`), rules.toolId),
      )
    const { message, after } = encodeAssistant(
      turn,
      this.#request,
      this.#target,
      this.#content,
      this.#ids,
    )
    if (message) this.#messages.push(message)
    this.#after.push(...after)
  }

  #addResults(turn: Turn): void {
    for (const [place, part] of turn.parts.entries()) {
      if (part.type !== 'result') continue
      const own = part.callId === null ? undefined : toolId(part.callId, this.#target.rules.toolId)
      this.#addResult(part, own ?? this.#ids[place] ?? inventedId(`${place} ${part.name}`), turn)
    }
  }

  #addResult(part: ToolResultPart, id: string, turn: Turn): void {
    const { rules, loss } = this.#target
    const at = part.at ?? turn.at ?? loss.field('turns')
    const own = loss.native(part.native ?? turn.native, 'chat', at)
    const parts = part.parts.flatMap((one) => this.#content.encode(one))
    const last = parts.at(-1)
    if (last) Object.assign(last, this.#content.mark(part))
    const texts = parts.filter(({ type }) => type === 'text')
    if (part.isError) {
      loss.approximate(at, 'error_before_text')
      const [first] = texts
      if (first) first.text = `Error: ${first.text}`
      else for (const list of [parts, texts]) list.unshift({ type: 'text', text: FAILED })
    }
    const holdsMedia = rules.resultMedia || this.#isFromChat
    const media = holdsMedia ? [] : parts.filter(({ type }) => type !== 'text')
    if (media.length > 0) {
      loss.approximate(at, 'files_in_user_message')
      texts.push({ type: 'text', text: SEE_BELOW })
      this.#after.push({ type: 'text', text: `From the result of call ${id}:` }, ...media)
    }
    const content = contentOf(holdsMedia ? parts : texts, '\n', this.#isFromChat)
    this.#messages.push({ ...own, role: 'tool', tool_call_id: id, content })
  }

  #flush(): void {
    if (this.#after.length === 0) return
    this.#messages.push({ role: 'user', content: this.#after })
    this.#after = []
  }

  /** Chat has no beginning of an answer that the model goes on from. */
  #addContinue(lastTurn: Turn | undefined): void {
    const { rules, loss } = this.#target
    const last = this.#messages.at(-1)
    if (rules.prefill || this.#isFromChat || last?.role !== 'assistant' || last.tool_calls) return
    loss.approximate(lastTurn?.at ?? loss.field('turns'), 'begun_answer')
    this.#messages.push({ role: 'user', content: CONTINUE })
  }
}

/**
 * The turns as `messages`. `sentence` is put at the end of the system prompt. Each call is followed by its
 * result directly; what only a message of the user can hold comes behind all of them (wire-formats 8.1, 8.2).
 */
export const encodeMessages = (
  request: ExchangeRequest,
  target: RequestTarget,
  sentence?: string,
): JsonObject[] => new MessagesEncoder(request, target).encode(sentence)
