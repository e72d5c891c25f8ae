import { type ErrorCode, GatewayError } from '../../base/errors.ts'
import { type AnswerFault, answerText } from '../../base/sentences/answer-faults.ts'
import { codedReason } from '../../base/sentences/coded-texts.ts'

/** An upstream’s answer that is none, or not the one asked for. */
export const wrongAnswer = (
  fault: AnswerFault,
  { code = 'upstream_invalid', cause }: { code?: ErrorCode; cause?: unknown } = {},
): GatewayError =>
  new GatewayError(code, {
    message: `The upstream’s answer ${answerText(fault)}.`,
    reason: { code: 'upstream_answer_wrong', why: codedReason(fault) },
    cause,
  })
