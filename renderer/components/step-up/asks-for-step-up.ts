import type { CallFailure } from '../../gateway/call-failure.ts'

/** Whether an operation was refused only because who is signed in has to prove it again. */
export function asksForStepUp(failure: CallFailure | null): boolean {
  const code = failure?.code.toLowerCase()
  return code === 'verification_required' || code === 'verification_expired'
}

/** The failure, unless the step-up's own dialog answers it. */
export const besidesStepUp = (failure: CallFailure | null): CallFailure | null =>
  asksForStepUp(failure) ? null : failure
