import type { CallFailure } from '../../gateway/call-failure.ts'

/** Whether the operation was refused only for lack of a fresh proof of identity. */
export function needsStepUp(failure: CallFailure | null): boolean {
  const code = failure?.code.toLowerCase()
  return code === 'verification_required' || code === 'verification_expired'
}
