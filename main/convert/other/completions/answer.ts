import { encodeFinishReason, finishNote } from '../../chat/answer/finish-reason.ts'
import { keptFields } from '../../chat/own-fields.ts'
import type { AnswerTarget } from '../../conversion.ts'
import type { Native } from '../../exchange.ts'
import type { Stop } from '../../exchange-response.ts'
import type { JsonObject } from '../../json/json-value.ts'

/** Ids of answers in OpenAI's form. */
export const answerId = (callId: string): string => `cmpl-${callId}`

/** Fields that every answer and chunk begins with; both are the same object. */
export function envelope(target: AnswerTarget, native: Native | undefined): JsonObject {
  const { system_fingerprint: fingerprint } = keptFields(native)
  return {
    id: answerId(target.id),
    object: 'text_completion',
    created: target.created,
    model: target.model,
    ...(fingerprint === undefined ? {} : { system_fingerprint: fingerprint }),
  }
}

/** One choice; `stop` is null as long as it goes on. */
export const choiceOf = (index: number, text: string, stop: Stop | null): JsonObject => ({
  text,
  index,
  logprobs: null,
  // The text does not tell a refusal from an answer, so the reason has to.
  finish_reason: stop && encodeFinishReason(stop, { calls: 0, hasRefusal: false }),
  ...(stop ? finishNote(stop) : {}),
})
