import { GatewayError } from '../../base/errors.ts'
import type { User } from '../../store/records/users.ts'
import type { OperationContext } from './operation.ts'

/** The user of an operation that only signed-in users reach. */
export function signedIn(context: Pick<OperationContext, 'user'>): User {
  if (context.user) return context.user
  throw new GatewayError('unauthenticated', {
    message: 'You are not signed in. Sign in first.',
    reason: { code: 'not_signed_in' },
  })
}
