import type { Request, Response } from 'express'
import { GatewayError } from '../../base/errors.ts'
import { keychainLocked } from '../../base/keychain-locked.ts'
import type { GatewayParts } from '../../manage/gateway-parts.ts'
import type { OperationContext } from '../../manage/operation/operation.ts'
import { findOwner } from '../../manage/operation/owner.ts'
import { requestIdOf } from '../request-id.ts'
import { sessionControl, sessionUserId, sessionVerification } from './session-cookie.ts'

type Caller = Pick<OperationContext, 'user' | 'credential'> & { refusal?: GatewayError }

/** The session's user, else the access token's; a valid session makes the token irrelevant. */
function identifyCaller(request: Request, parts: GatewayParts): Caller {
  const { users, secretKey, localAccess } = parts
  const user = users.byId(sessionUserId(request))
  if (user) return { user, credential: 'session' }
  const { authorization = '' } = request.headers
  const accessToken = authorization.replace(/^Bearer\s+/i, '').trim()
  if (accessToken === '') return { user: null, credential: null }
  if (localAccess.isMeant(accessToken)) return identifyLocal(request, accessToken, parts)
  const owner = users.byAccessToken(accessToken)
  if (owner) return { user: owner, credential: 'access-token' }
  const unknown = new GatewayError('invalid_access_token', {
    message: "This isn't an access token of this gateway. Make one in Settings, or sign in.",
    field: 'Authorization',
    reason: { code: 'access_token_unknown' },
  })
  const refusal = secretKey.lock ? keychainLocked() : unknown
  return { user: null, credential: null, refusal }
}

/**
 * The secret of the data folder proves the owner, on this machine and outside web pages: also where a proxy on this
 * machine is trusted, since no one behind it can know the secret.
 */
function identifyLocal(request: Request, secret: string, parts: GatewayParts): Caller {
  const { users, clients, localAccess } = parts
  const isHere = clients.isUnproxied(request) && request.headers.origin === undefined
  const owner = findOwner(users)
  if (owner && isHere && localAccess.matches(secret)) {
    return { user: owner, credential: 'data-folder' }
  }
  const message = owner
    ? "This isn't the secret of this run, or it came through a proxy or from another machine. Check that --data-dir names this gateway's data folder."
    : 'There is no owner yet. Open the console and create one.'
  const refusal = new GatewayError('invalid_access_token', { message, field: 'Authorization' })
  return { user: null, credential: null, refusal }
}

/** The header New-Api-User is optional here, but one that is sent must not contradict. */
function checkNamedUser(caller: Caller, named: string | string[] | undefined): Caller {
  if (named === undefined || !caller.user || named === String(caller.user.id)) return caller
  return {
    user: null,
    credential: null,
    refusal: new GatewayError('unauthenticated', {
      message: 'The header New-Api-User names another user than the one who is signed in.',
      reason: { code: 'other_user_named' },
      field: 'New-Api-User',
    }),
  }
}

interface Known {
  context: OperationContext
  refusal: GatewayError | undefined
}

const known = new WeakMap<Request, Known>()

/** The user of this request, worked out once; null if the credential is refused. */
export function contextOf(
  request: Request,
  response: Response,
  parts: GatewayParts,
): OperationContext {
  const before = known.get(request)
  if (before) return before.context
  const { refusal, ...caller } = checkNamedUser(
    identifyCaller(request, parts),
    request.headers['new-api-user'],
  )
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableEnded) controller.abort()
  })
  // Its client may have left while the management API was being loaded.
  if (response.destroyed) controller.abort()
  const context: OperationContext = {
    ...caller,
    parts,
    session: sessionControl(request, response, parts),
    verification: caller.credential === 'session' ? sessionVerification(request, parts) : null,
    via: 'http',
    ip: parts.clients.of(request),
    loopback: caller.credential === 'data-folder' || parts.clients.isLocal(request),
    requestId: requestIdOf(response),
    signal: controller.signal,
  }
  known.set(request, { context, refusal })
  return context
}

/**
 * Throws why the credential that was sent does not count. Apart, because what is open to all is open
 * with a wrong one too.
 */
export function checkCredential(request: Request): void {
  const refusal = known.get(request)?.refusal
  if (refusal) throw refusal
}
