import type { CallFailure } from '../../gateway/call-failure.ts'

/** Whether an operation was refused only because who is signed in has to prove it again. */
export function asksForStepUp(failure: CallFailure | null): boolean {
  const code = failure?.code.toLowerCase()
  return code === 'verification_required' || code === 'verification_expired'
}
