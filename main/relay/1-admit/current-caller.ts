import { GatewayError } from '../../base/errors.ts'
import type { Caller } from '../call/call.ts'
import type { RelayServices } from '../relay-services.ts'

/** The stores that know callers. */
export type CallerStores = Pick<RelayServices, 'tokens' | 'users'>

function findCaller(caller: Caller, { tokens, users }: CallerStores): Caller | undefined {
  const token = caller.token && tokens.byId(caller.token.id)
  const user = users.byId(caller.user.id)
  return token === undefined || !user ? undefined : { ...caller, token, user }
}

/** The caller as the stores know it now; one that is gone as it was last, to be refused and booked as such. */
export const latestCaller = (caller: Caller, stores: CallerStores): Caller =>
  findCaller(caller, stores) ?? caller

/** The caller as the stores know it now. Throws `unknown_token` where the token is gone. */
export function currentCaller(caller: Caller, stores: CallerStores): Caller {
  const found = findCaller(caller, stores)
  if (found) return found
  throw new GatewayError('unknown_token', {
    message: `The token "${caller.token?.name ?? ''}" was deleted. Use another token.`,
    reason: { code: 'token_deleted', token: caller.token?.name ?? '' },
  })
}
