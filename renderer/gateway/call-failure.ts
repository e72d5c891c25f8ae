export interface FailureFacts {
  /** `snake_case` code of management-api §1.1, or `unreachable` when no answer came at all. */
  code: string
  /** The server's own sentence. */
  message: string
  /** The input field at fault, when the server names one. */
  field?: string | undefined
  /** HTTP status; 0 when no answer came. */
  status: number
}

/** An operation that was refused or never answered. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string
  readonly field: string | undefined
  readonly status: number

  constructor(facts: FailureFacts) {
    super(facts.message)
    this.code = facts.code
    this.field = facts.field
    this.status = facts.status
  }
}

/** Any thrown value as a CallFailure, so that every page can show the same three things. */
export function toCallFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new CallFailure({ code: 'internal', message, status: 0 })
}
