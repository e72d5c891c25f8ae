import { GatewayError } from '../base/errors.ts'
import type { Access, OperationContext } from './operation.ts'
import { findOwner } from './owner.ts'

const leastRole: Readonly<Record<Access, number>> = { none: 0, user: 1, admin: 10, root: 100 }

/** What answers while the owner, made in the desktop, has no password yet. */
const openToAll = new Set(['setup.status', 'status.get'])

/** Throws when the caller may not run an operation, in the order of management-api §3.1. */
export function checkAccess(
  { name, access }: { name: string; access: Access },
  { parts, user, via }: OperationContext,
): void {
  if (via === 'http' && !openToAll.has(name) && findOwner(parts.users)?.passwordHash === null) {
    throw new GatewayError('forbidden', {
      message:
        'The owner has no password yet, so this is open in the desktop window only. Set a password there, in Settings.',
    })
  }
  if (access === 'none') return
  if (!user) {
    throw new GatewayError('unauthenticated', {
      message: 'You are not signed in. Sign in, or send your access token as Authorization.',
    })
  }
  if (user.status !== 1) {
    throw new GatewayError('user_disabled', { message: `The user "${user.username}" is disabled.` })
  }
  if (user.role < leastRole[access]) {
    throw new GatewayError('forbidden', {
      message:
        access === 'root' ? 'Only the owner may do this.' : 'Only an administrator may do this.',
    })
  }
}
