import type { OperationInput, StreamName } from '../../../../preload/contract.ts'
import type { WholeAnswer } from '../../../gateway/collect-answer.ts'
import type { AnswerFailure } from './answer-failure.ts'
import type { CurlRequest } from './curl-command.ts'

/** Usage in the vendor's units; nothing that the vendor didn't report. */
export type UsageFigure =
  | { kind: 'tokens'; input: number; output: number }
  | { kind: 'inputTokens' | 'totalTokens' | 'seconds' | 'searchUnits'; count: number }

/** A playground mode other than chat. */
export interface Task<Name extends StreamName, Draft, Result> {
  operation: Name
  /** The form at first. */
  blank: Draft
  isReady(draft: Draft): boolean
  input(model: string, draft: Draft): OperationInput<Name> | Promise<OperationInput<Name>>
  /** The same call at the public endpoint, for cURL. */
  request(model: string, draft: Draft): CurlRequest
  /** Throws when the answer isn't of the expected shape. */
  read(answer: WholeAnswer, draft: Draft): Result
  usage(answer: WholeAnswer): UsageFigure[]
  /** A second attempt after a refusal of something that the page chose, not the user. */
  instead?(draft: Draft, failure: AnswerFailure): Draft | null
}
