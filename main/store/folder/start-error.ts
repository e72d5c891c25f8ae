/**
 * The gateway cannot start, for a reason that a person can do something about. The message says which
 * file or setting, what is wrong and what to do; an entry prints it without a stack and exits 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
  /** What is wrong with a file, without its path and what to do; absent where there is nothing shorter. */
  readonly problem?: string

  constructor(message: string, { problem, cause }: { problem?: string; cause?: unknown } = {}) {
    super(message, { cause })
    if (problem !== undefined) this.problem = problem
  }
}
