import { GatewayError } from '../../base/errors.ts'
import type { User } from '../../store/records/users.ts'
import type { OperationContext } from './operation.ts'
import { signedIn } from './signed-in.ts'

/**
 * Throws `forbidden` where who asks may not act on a user, which includes crediting: only the owner acts on
 * those of the same role or a higher one, oneself among them.
 */
export function checkMayActOn(user: User, context: Pick<OperationContext, 'user'>): void {
  const { role } = signedIn(context)
  if (role === 100 || user.role < role) return
  throw new GatewayError('forbidden', {
    message: `Only the owner may do this with "${user.username}", who is an administrator too.`,
    reason: { code: 'only_owner_on_administrator', user: user.username },
  })
}
