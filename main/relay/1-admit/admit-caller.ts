import type { Settings } from '../../store/state/settings.ts'
import type { Caller } from '../call/call.ts'
import { checkGroup } from '../channel/groups.ts'
import {
  checkAddress,
  checkEnabled,
  checkInForce,
  checkPinning,
  checkUser,
} from './check-caller.ts'

/** May this caller ask anything at all, if only which models there are? */
export function admitCaller({ token, user, ip }: Caller): void {
  checkUser(user)
  if (!token) return
  checkInForce(token)
  checkAddress(token, ip)
}

/** May this caller ask what its token has left? Also where that has expired or is used up. */
export function admitOwner({ token, user, ip }: Caller): void {
  checkUser(user)
  if (!token) return
  checkEnabled(token)
  checkAddress(token, ip)
}

/**
 * May this caller make any call at all? Of a call that is wrong this is told first (management-api §12.2),
 * so that a stranger learns nothing of what a right one would be.
 */
export function admitKey(
  caller: Caller,
  { settings }: { settings: { readonly current: Readonly<Settings> } },
): void {
  admitCaller(caller)
  checkGroup({ caller }, settings.current)
  checkPinning(caller)
}
