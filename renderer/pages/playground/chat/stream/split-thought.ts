import type { Turn } from '../desk/chat-record.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/** Characters at a text's end that the tag begins with. */
function begunTag(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length
  }
  return 0
}

/**
 * Tells a reply's text from the thought at its beginning, which some vendors write between tags where others have
 * a field: the gateway changes nothing in an answer that keeps its format. A tag further on is text.
 */
export function splitThought(
  content: string,
  isUnderWay = false,
): Pick<Turn, 'text' | 'reasoning'> {
  const begun = content.trimStart()
  if (!begun.startsWith(OPEN)) {
    const mayBegin = isUnderWay && OPEN.startsWith(begun)
    return { reasoning: '', text: mayBegin ? '' : content }
  }
  const inside = begun.slice(OPEN.length)
  const at = inside.indexOf(CLOSE)
  if (at < 0) {
    const thought = inside.slice(0, inside.length - begunTag(inside, CLOSE))
    return { reasoning: thought.trimStart(), text: '' }
  }
  return {
    reasoning: inside.slice(0, at).trim(),
    text: inside.slice(at + CLOSE.length).trimStart(),
  }
}

/** A reply as it was kept before thoughts were told apart. */
export function withSplitThought(turn: Turn): Turn {
  if (turn.role !== 'assistant' || turn.reasoning !== '') return turn
  const apart = splitThought(turn.text)
  if (apart.text === turn.text) return turn
  return { ...turn, ...apart, isTagged: apart.reasoning !== '' }
}

/** A reply's text as its model wrote it, with the thought between tags. */
export const taggedText = ({ reasoning, text }: Turn): string =>
  `${OPEN}\n${reasoning}\n${CLOSE}\n\n${text}`
