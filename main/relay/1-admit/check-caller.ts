import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { addressMatcher } from '../../base/net/address-list.ts'
import { utcTime } from '../../base/text/utc-time.ts'
import type { Token } from '../../store/records/tokens.ts'
import type { User } from '../../store/records/users.ts'
import type { Caller } from '../call/call.ts'

const matchers = new WeakMap<Token, (ip: string) => boolean>()

function isAllowedAddress(token: Token, ip: string): boolean {
  let matches = matchers.get(token)
  if (!matches) {
    matches = addressMatcher(token.allowIps)
    matchers.set(token, matches)
  }
  return matches(ip)
}

export const tokenName = (token: Token): string => `The token "${token.name}"`

export function checkEnabled(token: Token): void {
  if (token.status === 2) {
    throw new GatewayError('token_disabled', {
      message: `${tokenName(token)} is disabled. Enable it in the console: Connect → Tokens.`,
      reason: { code: 'token_is_disabled', token: token.name },
    })
  }
}

export function checkInForce(token: Token): void {
  checkEnabled(token)
  if (token.expiredTime !== -1 && token.expiredTime <= unixSeconds()) {
    const when = utcTime(token.expiredTime)
    throw new GatewayError('token_expired', {
      message: `${tokenName(token)} expired at ${when}. Give it a later expiry, or use another token.`,
      reason: { code: 'token_is_expired', token: token.name, when },
    })
  }
}

export function checkAddress(token: Token, ip: string): void {
  if (token.allowIps.length > 0 && !isAllowedAddress(token, ip)) {
    throw new GatewayError('access_denied', {
      message: `${tokenName(token)} may not be used from ${ip}. Add this address to its allowed IPs in the console: Connect → Tokens.`,
      reason: { code: 'token_not_from', token: token.name, ip },
    })
  }
}

export function checkUser(user: User): void {
  if (user.status === 1) return
  throw new GatewayError('user_disabled', {
    message: `The user "${user.username}" is disabled. An administrator can enable it.`,
    reason: { code: 'user_disabled', user: user.username },
  })
}

export function checkPinning({ pinnedChannel, user }: Caller): void {
  if (pinnedChannel === null || user.role >= 10) return
  throw new GatewayError('pinning_not_allowed', {
    message: `Only an administrator's token may name a channel. Leave out "-${pinnedChannel}".`,
    reason: { code: 'pinning_refused', channel: pinnedChannel },
  })
}
