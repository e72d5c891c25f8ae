import type { Reason } from '../../preload/contract.ts'

export interface FailureFacts {
  /** `snake_case` code of management-api §1.1, or `unreachable` without an answer. */
  code: string
  message: string
  /** The refused input field, if the server names one. */
  field?: string | undefined
  /** The message by code and values. */
  reason?: Reason | undefined
  /** HTTP status; 0 without an answer. */
  status: number
  /** Facts of the failure, such as the `place` of a query’s wrong term. */
  data?: unknown
}

export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string
  readonly field: string | undefined
  readonly reason: Reason | undefined
  readonly status: number
  readonly data: unknown

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.code = facts.code
    this.field = facts.field
    this.reason = facts.reason
    this.status = facts.status
    this.data = facts.data
  }
}

export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new CallFailure({ code: 'internal', message, status: 0 })
}
