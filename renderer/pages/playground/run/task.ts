import type { OperationInput, StreamName } from '../../../../preload/contract.ts'
import type { WholeAnswer } from '../../../gateway/collect-answer.ts'
import type { AnswerFailure } from './answer-failure.ts'
import type { CurlRequest } from './curl-command.ts'

/** What a call used, in the words of whoever sold it; nothing stands here that the vendor did not tell. */
export type UsageFigure =
  | { kind: 'tokens'; input: number; output: number }
  | { kind: 'inputTokens' | 'totalTokens' | 'seconds' | 'searchUnits'; count: number }

/** One thing that the playground can ask a model for, besides a conversation. */
export interface Task<Name extends StreamName, Draft, Result> {
  operation: Name
  /** What stands in the fields at first. */
  blank: Draft
  /** Is enough filled in to ask? */
  isReady(draft: Draft): boolean
  input(model: string, draft: Draft): OperationInput<Name> | Promise<OperationInput<Name>>
  /** The same call at the public endpoint. */
  request(model: string, draft: Draft): CurlRequest
  /** What the page shows of an answer; throws when it is not what was asked for. */
  read(answer: WholeAnswer, draft: Draft): Result
  usage(answer: WholeAnswer): UsageFigure[]
  /** What to ask for in place of what was refused, where the page chose it and not the person. */
  instead?(draft: Draft, failure: AnswerFailure): Draft | null
}
