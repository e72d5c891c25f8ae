import type { RequestTarget } from '../../conversion.ts'
import type { CacheMark, MediaPart, Part, TextPart, Turn } from '../../exchange.ts'
import type { Loss } from '../../loss.ts'
import { mediaNote } from './encode-media.ts'

/** Turns of which every part has its block in Anthropic's format, and media that have to stand elsewhere. */
export interface FittedTurn {
  turn: Turn
  /** Media of a place that takes none: for the next user turn. */
  moved: MediaPart[]
}

/** Result for a part: nothing, itself or another, and the media taken out of it. */
type Fitted = { part: Part | null; moved?: MediaPart[] }

const none: Fitted = { part: null }
const kept = (part: Part): Fitted => ({ part })

/**
 * Leaves out of a turn what Anthropic refuses: empty text, thoughts and server tools of other vendors. A
 * cache mark on such a part goes to the one before.
 */
export function fitTurn(turn: Turn, target: RequestTarget, isOwn: boolean): FittedTurn {
  const parts: Part[] = []
  const moved: MediaPart[] = []
  for (const part of turn.parts) {
    const fitted = fitPart(part, turn.role, target, isOwn)
    moved.push(...(fitted.moved ?? []))
    if (fitted.part) parts.push(fitted.part)
    else if (part.cacheMark) markLast(parts, part.cacheMark)
  }
  return { turn: { ...turn, parts }, moved }
}

function markLast(parts: Part[], cacheMark: CacheMark): void {
  const last = parts.at(-1)
  if (!last || last.cacheMark || last.type === 'reasoning') return
  parts[parts.length - 1] = { ...last, cacheMark }
}

function fitPart(part: Part, role: Turn['role'], target: RequestTarget, isOwn: boolean): Fitted {
  const { loss, rules } = target
  const at = part.at ?? loss.field('turns')
  if ('state' in part && part.state && part.type !== 'reasoning') {
    loss.approximate(at, 'without_other_reasoning')
  }
  switch (part.type) {
    case 'text':
      return isBlank(part, role, isOwn) ? none : kept(part)
    case 'refusal':
      if (part.text.trim() === '') return none
      loss.approximate(at, 'refusal_as_text')
      return kept({ ...part, type: 'text' })
    case 'reasoning':
      if (role === 'assistant' && part.state?.origin === 'messages') return kept(part)
      loss.drop(at, 'unsigned_thoughts')
      return none
    case 'hosted':
    case 'native':
      if (part.origin === 'messages') return kept(part)
      loss.drop(at, 'other_vendors_item')
      return none
    case 'media':
      if (role === 'system') {
        loss.drop(at, 'system_text_only')
        return none
      }
      if (role !== 'assistant') return kept(part)
      loss.approximate(at, 'moved_to_user_turn')
      return { part: null, moved: [part] }
    case 'result': {
      const moved: MediaPart[] = []
      const parts = part.parts.flatMap((inner) => {
        if (inner.type === 'media' && !rules.resultMedia) {
          loss.approximate(inner.at ?? at, 'moved_behind_results')
          moved.push(inner)
          return [mediaNote(inner)]
        }
        const { part: fitted } = fitPart(inner, 'tool', target, isOwn)
        return fitted ? [fitted as typeof inner] : []
      })
      return { part: { ...part, parts }, moved }
    }
    default:
      return kept(part)
  }
}

/** Empty text is always refused, text of white space when it is not the vendor's own between citations. */
function isBlank(part: TextPart, role: Turn['role'], isOwn: boolean): boolean {
  if (part.native?.origin === 'messages') return false
  return part.text === '' || ((!isOwn || role !== 'assistant') && part.text.trim() === '')
}

/** Refuses a user turn in which nothing is left to answer. */
export function refuseEmpty(turn: Turn, loss: Loss): never {
  const path = turn.parts[0]?.at ?? turn.at ?? loss.field('turns')
  return loss.refuse(path, 'must_not_be_empty_turn')
}
