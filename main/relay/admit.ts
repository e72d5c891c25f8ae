import { addressMatcher } from '../base/address-list.ts'
import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { Token } from '../store/tokens.ts'
import type { Call, RelayParts } from './call.ts'

const matchers = new WeakMap<Token, (ip: string) => boolean>()

function isAllowedAddress(token: Token, ip: string): boolean {
  let matches = matchers.get(token)
  if (!matches) {
    matches = addressMatcher(token.allowIps)
    matchers.set(token, matches)
  }
  return matches(ip)
}

/** Counting tokens costs nothing, so an empty quota does not refuse it. */
const isFree = (call: Call): boolean => call.verb === 'count-tokens'

function checkToken(token: Token, call: Call, parts: RelayParts): void {
  const name = `The token "${token.name}"`
  if (token.status === 2) {
    throw new GatewayError('token_disabled', {
      message: `${name} is disabled. Enable it on the Tokens page of the console.`,
    })
  }
  if (token.expiredTime !== -1 && token.expiredTime <= unixSeconds()) {
    const when = new Date(token.expiredTime * 1000).toISOString()
    throw new GatewayError('token_expired', {
      message: `${name} expired at ${when}. Give it a later expiry, or use another token.`,
    })
  }
  const used = parts.ledger.totals('token', token.id).quota
  if (!token.unlimitedQuota && token.grantedQuota - used <= 0 && !isFree(call)) {
    throw new GatewayError('token_exhausted', {
      message: `${name} has used up its quota. Add quota to it on the Tokens page of the console.`,
    })
  }
  if (token.allowIps.length > 0 && !isAllowedAddress(token, call.caller.ip)) {
    throw new GatewayError('access_denied', {
      message: `${name} may not be used from ${call.caller.ip}. Its list of allowed addresses decides.`,
    })
  }
  if (token.modelLimitsEnabled && !token.modelLimits.includes(call.model)) {
    throw new GatewayError('model_not_allowed', {
      message: `${name} may not use the model "${call.model}". Allowed: ${token.modelLimits.join(', ') || 'none'}.`,
      field: 'model',
    })
  }
}

/** May this caller make this call now? Throws what is in the way, in the order of management-api §12.2. */
export function admit(call: Call, parts: RelayParts): void {
  const { token, user } = call.caller
  if (user.status !== 1) {
    throw new GatewayError('user_disabled', {
      message: `The user "${user.username}" is disabled. An administrator can enable it.`,
    })
  }
  if (token) checkToken(token, call, parts)
  if (call.caller.pinnedChannel !== null && user.role < 10) {
    throw new GatewayError('pinning_not_allowed', {
      message: `Only an administrator's token may name a channel. Leave out "-${call.caller.pinnedChannel}".`,
    })
  }
  // In self-use mode the owner's own balance never refuses a call; tokens' quotas do.
  if (parts.settings.current.SelfUseModeEnabled || isFree(call)) return
  if (user.quota - parts.ledger.totals('user', user.id).quota <= 0) {
    throw new GatewayError('insufficient_user_quota', {
      message: `The user "${user.username}" has used up its quota.`,
    })
  }
}
