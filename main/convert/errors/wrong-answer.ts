import { type ErrorCode, GatewayError } from '../../base/errors.ts'
import { type AnswerFault, answerReason, answerText } from '../../base/sentences/answer-faults.ts'

/** An upstream’s answer that is none, or not the one asked for. */
export const wrongAnswer = (
  fault: AnswerFault,
  { code = 'upstream_invalid', cause }: { code?: ErrorCode; cause?: unknown } = {},
): GatewayError =>
  new GatewayError(code, {
    message: `The upstream’s answer ${answerText(fault)}.`,
    reason: { code: 'upstream_answer_wrong', why: answerReason(fault) },
    cause,
  })
