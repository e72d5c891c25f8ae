import type { AnswerTarget, StreamEncoder } from '../../conversion.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import { AnswerWriter } from '../answer/answer-writer.ts'
import { encodeFailure, wireEvent } from '../error.ts'

/** Writes an answer as a Responses stream: https://platform.openai.com/docs/api-reference/responses-streaming */
export function createEncoder(target: AnswerTarget): StreamEncoder {
  let sequence = 0
  let text = ''
  const writer = new AnswerWriter(target, (type, fields) => {
    text += wireEvent(type, { sequence_number: sequence++, ...fields })
  })
  return {
    push(part) {
      writer.push(part)
      if (part.type === 'error') {
        text += encodeFailure(upstreamError(part), target.id, writer.cutResponse(), sequence)
      }
      // Bytes written before a failure go out with its event.
      const written = text
      text = ''
      return written
    },
  }
}
