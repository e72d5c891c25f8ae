import type { RequestTarget } from '../../conversion.ts'
import type { ExchangeRequest, MediaPart, TextPart, Turn } from '../../exchange.ts'
import { CONTINUE, completeResults, leadingSystem } from '../../turns.ts'
import { fitTurn, refuseEmpty } from './fit-parts.ts'

/** A conversation as Anthropic wants it: a system prompt, then turns by turns user and assistant. */
export interface ShapedTurns {
  system: TextPart[]
  /** Roles user (results first), assistant, and system where the model takes it inside. */
  messages: Turn[]
}

/**
 * Brings turns into Anthropic's order: results directly behind their calls and first in their turn, no two
 * neighbours of one role, the user first, nothing empty.
 */
export function shapeTurns(request: ExchangeRequest, target: RequestTarget): ShapedTurns {
  const { loss } = target
  const isOwn = request.origin === 'messages'
  const { system, rest } = leadingSystem(fitTurns(request.turns, target, isOwn))
  const placed = completeResults(rest, loss).map((turn) => placeSystem(turn, target, isOwn))
  const messages = mergeMessages(placed)
  if (!isOwn) for (const message of messages) thoughtsFirst(message)
  const [first] = messages
  if (first?.role !== 'user' && (!isOwn || first === undefined)) {
    loss.approximate(loss.field('turns'), 'continue_first')
    messages.unshift({ role: 'user', parts: [{ type: 'text', text: 'Continue.' }] })
  }
  if (!isOwn) fitPrefill(messages, request, target)
  return { system: system.flatMap(({ parts }) => parts.filter(isTextPart)), messages }
}

const isTextPart = (part: Turn['parts'][number]): part is TextPart => part.type === 'text'

function fitTurns(turns: readonly Turn[], target: RequestTarget, isOwn: boolean): Turn[] {
  const fitted: Turn[] = []
  const waiting: MediaPart[] = []
  for (const [index, original] of turns.entries()) {
    const { turn, moved } = fitTurn(original, target, isOwn)
    if (turn.role === 'user') {
      // With results before it the message is not empty.
      const follows = fitted.at(-1)?.role === 'tool' || turns[index + 1]?.role === 'tool'
      if (turn.parts.length === 0 && waiting.length === 0 && !follows)
        refuseEmpty(original, target.loss)
      turn.parts = [...movedMedia(waiting), ...turn.parts]
    }
    waiting.push(...moved)
    if (turn.parts.length > 0 || turn.effort !== undefined) fitted.push(turn)
  }
  if (waiting.length > 0) fitted.push({ role: 'user', parts: movedMedia(waiting) })
  return fitted
}

/** Empties `waiting` into what a user turn says of media from elsewhere. */
function movedMedia(waiting: MediaPart[]): Turn['parts'] {
  if (waiting.length === 0) return []
  return [{ type: 'text', text: 'The files mentioned before:' }, ...waiting.splice(0)]
}

/** A system turn inside the conversation, for a model that takes none there. */
function placeSystem(turn: Turn, { rules, loss }: RequestTarget, isOwn: boolean): Turn {
  if (turn.role !== 'system' || rules.midSystem || isOwn) return turn
  loss.approximate(turn.at ?? loss.field('turns'), 'reminder_in_turn')
  const parts = turn.parts.map((part) =>
    part.type === 'text'
      ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` }
      : part,
  )
  return { ...turn, role: 'user', parts }
}

const sideOf = ({ role }: Turn): Turn['role'] => (role === 'tool' ? 'user' : role)

/** Does the turn say something beside its parts? */
const isStating = ({ native, effort, isFleeting }: Turn): boolean =>
  native !== undefined || effort !== undefined || isFleeting === true

/** As `mergeTurns`, but a turn with fields of its own begins a message of its own. */
function mergeMessages(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (last && last.role === sideOf(turn) && !isStating(turn)) last.parts.push(...turn.parts)
    else merged.push({ ...turn, role: sideOf(turn), parts: [...turn.parts] })
  }
  return merged
}

/** Thoughts open the turn; those between later parts stay where the model had them. */
function thoughtsFirst(message: Turn): void {
  const isThought = (part: Turn['parts'][number]) => part.type === 'reasoning'
  const [first] = message.parts
  if (message.role !== 'assistant' || !first || isThought(first) || !message.parts.some(isThought))
    return
  message.parts = [
    ...message.parts.filter(isThought),
    ...message.parts.filter((part) => !isThought(part)),
  ]
}

/**
 * An assistant's turn at the end: the model goes on from it, where it can. OpenAI Responses knows no prefill: there
 * it's an answer that broke off, which Codex sends along when it tries again.
 */
function fitPrefill(
  messages: Turn[],
  { origin }: ExchangeRequest,
  { rules, loss }: RequestTarget,
): void {
  const last = messages.at(-1)
  const end = last?.parts.at(-1)
  // A paused answer goes on behind the server tool's call.
  if (last?.role !== 'assistant' || !end || end.type === 'hosted') return
  const at = last.at ?? loss.field('turns')
  if (!rules.prefill) {
    if (origin !== 'responses') loss.refuse(at, 'must_not_be_last_turn')
    loss.approximate(at, 'wish_to_go_on')
    messages.push({ role: 'user', parts: [{ type: 'text', text: CONTINUE }] })
    return
  }
  if (end.type !== 'text') return
  const text = end.text.trimEnd()
  if (text === end.text) return
  loss.approximate(end.at ?? at, 'white_space_at_end')
  last.parts[last.parts.length - 1] = { ...end, text }
}
