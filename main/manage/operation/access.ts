import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { isShownByWindow, VERIFIED_SECONDS } from '../account/step-up.ts'
import type { Access, OperationContext, Proof } from './operation.ts'
import { findOwner } from './owner.ts'

const leastRole: Readonly<Record<Access, number>> = { none: 0, user: 1, admin: 10, root: 100 }

/** Open while the owner, made in the desktop, has no password yet. */
const openToAll = new Set(['setup.status', 'status.get'])

/** Throws when the caller may not run an operation, in the order of management-api §3.1. */
export function checkAccess(
  {
    name,
    access,
    verified,
    proof,
  }: { name: string; access: Access; verified?: boolean; proof?: Proof | undefined },
  context: OperationContext,
): void {
  const { parts, user, via, credential } = context
  const isOpen = openToAll.has(name) || credential === 'data-folder'
  if (via === 'http' && !isOpen && findOwner(parts.users)?.passwordHash === null) {
    throw new GatewayError('forbidden', {
      message:
        'The owner has no password yet, so this is open in the desktop window only. Set a password there, in Settings.',
      reason: { code: 'owner_without_password' },
    })
  }
  if (access === 'none') return
  if (credential === 'data-folder' && !name.startsWith('connect.')) {
    throw new GatewayError('forbidden', {
      message: 'The secret of local-access.json is for npm run connect alone. Use an access token.',
      reason: { code: 'local_secret_only_connect' },
    })
  }
  if (!user) {
    throw new GatewayError('unauthenticated', {
      message: 'You are not signed in. Sign in, or send your access token as Authorization.',
      reason: { code: 'not_signed_in' },
    })
  }
  if (user.status !== 1) {
    throw new GatewayError('user_disabled', {
      message: `The user "${user.username}" is disabled. An administrator can enable it.`,
      reason: { code: 'user_disabled', user: user.username },
    })
  }
  if (user.role < leastRole[access]) {
    throw new GatewayError('forbidden', {
      message:
        access === 'root' ? 'Only the owner may do this.' : 'Only an administrator may do this.',
      reason: { code: access === 'root' ? 'only_owner' : 'only_administrator' },
    })
  }
  if (proof) checkProof(proof, context)
  if (verified) checkVerified(context)
}

/**
 * Throws for an access token, and with `recent` unless the user signed in or stepped up within the last
 * minutes. Operations that need it for some of their fields alone call it themselves.
 */
export function checkProof(proof: Proof, context: OperationContext): void {
  const { credential, verification } = context
  if (credential === 'access-token') {
    throw new GatewayError('forbidden', {
      message: 'An access token is not enough for this. Sign in to the console and do it there.',
      reason: { code: 'access_token_not_enough' },
    })
  }
  if (proof === 'session') return
  const age = unixSeconds() - (verification?.signedInAt ?? 0)
  if (age < 0 || age >= VERIFIED_SECONDS) checkVerified(context)
}

/** Throws unless who is signed in has shown it again within the last minutes (management-api §3.4). */
export function checkVerified(context: OperationContext): void {
  if (isShownByWindow(context)) return
  const { verification } = context
  if (!verification) {
    throw new GatewayError('VERIFICATION_REQUIRED', {
      message:
        'This needs a verified session, and an access token has none. Sign in to the console, then enter your password or a code.',
      reason: { code: 'verification_needs_session' },
    })
  }
  const { expiresAt } = verification
  if (expiresAt === null) {
    throw new GatewayError('VERIFICATION_REQUIRED', {
      message: 'This needs verification. Enter your password or a code, then try again.',
      reason: { code: 'verification_needed' },
    })
  }
  const left = expiresAt - unixSeconds()
  if (left <= 0) {
    throw new GatewayError('VERIFICATION_EXPIRED', {
      message: 'Your verification has expired. Enter your password or a code again.',
      reason: { code: 'verification_expired' },
    })
  }
  if (left > VERIFIED_SECONDS) {
    throw new GatewayError('VERIFICATION_INVALID', {
      message: 'The clock of this machine was set back. Enter your password or a code again.',
      reason: { code: 'verification_clock_back' },
    })
  }
}
