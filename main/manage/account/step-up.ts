import type { OperationContext } from '../operation/operation.ts'

/** How long a step-up holds. */
export const VERIFIED_SECONDS = 300

/**
 * Is this the desktop's window of an owner who has neither password nor second factor? Then sitting in
 * front of it is all that there is to show.
 */
export const isShownByWindow = ({
  credential,
  user,
}: Pick<OperationContext, 'credential' | 'user'>): boolean =>
  credential === 'desktop' && !user?.passwordHash && !user?.twoFactor?.isEnabled
