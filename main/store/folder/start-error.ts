/**
 * The gateway cannot start, for a reason that a person can do something about. The message says which
 * file or setting, what is wrong and what to do; an entry prints it without a stack and exits 1.
 */
export class StartError extends Error {
  override readonly name = 'StartError'
}
