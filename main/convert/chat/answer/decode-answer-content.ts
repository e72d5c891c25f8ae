import { GatewayError } from '../../../base/errors.ts'
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
    throw new GatewayError('upstream_invalid', {
      message: 'The upstream’s answer has a part that cannot be read.',
      cause,
    })
  }
}
