import { GatewayError } from '../../base/errors.ts'
import { keychainLocked } from '../../base/keychain-locked.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { fullKey } from './token-record.ts'

/** The tokens of who is signed in, newest first. */
export function ownTokens(context: OperationContext): Token[] {
  const user = signedIn(context)
  return context.parts.tokens
    .all()
    .filter(({ userId }) => userId === user.id)
    .reverse()
}

/** One's own token, or `not_found`: that of another user is as unknown as one that does not exist. */
export function ownToken(id: number, context: OperationContext, field = 'id'): Token {
  const token = context.parts.tokens.byId(id)
  if (token && token.userId === signedIn(context).id) return token
  throw new GatewayError('not_found', {
    message: `There is no token ${id}. It may have been deleted: reload the list.`,
    field,
    reason: { code: 'no_token', id },
  })
}

/** The key as clients send it; `keychain_locked` or `conflict` where it cannot be opened now, or for good. */
export function readableKey(token: Token, { parts }: Pick<OperationContext, 'parts'>): string {
  if (token.key !== '') return fullKey(token)
  if (parts.secretKey.lock) throw keychainLocked()
  throw new GatewayError('conflict', {
    message: `The key of "${token.name}" cannot be read any more. Delete the token and create a new one.`,
    reason: { code: 'token_key_unreadable', token: token.name },
  })
}
