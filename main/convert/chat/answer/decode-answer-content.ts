import { wrongAnswer } from '../../errors/wrong-answer.ts'
import { type ContentPart, decodeContent } from '../decode-content.ts'

/**
 * The `content` (or `images`) of an answer, whose parts have no place in a client's body. Throws
 * `upstream_invalid` for what cannot be read.
 */
export function decodeAnswerContent(content: unknown): ContentPart[] {
  try {
    return decodeContent(content, 'content').map((part) => {
      const { at: _at, ...placeless } = part
      return placeless
    })
  } catch (cause) {
    throw wrongAnswer('answer_part_unreadable', { cause })
  }
}
