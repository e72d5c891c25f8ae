import { unixSeconds } from '../base/clock.ts'
import type { Token } from '../store/tokens.ts'
import type { GatewayParts } from './gateway-parts.ts'

/** A token as lists show it (management-api §6). */
export interface TokenRecord {
  id: number
  user_id: number
  /** `sk-xxxx****xxxx`; whole only in the answer to its creation. */
  key: string
  /** The stored key cannot be opened any more: the token must be made anew. */
  key_unreadable: boolean
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. */
  status: 1 | 2 | 3 | 4
  name: string
  created_time: number
  /** Of the last call; 0 = never used. */
  accessed_time: number
  /** -1 never. */
  expired_time: number
  remain_quota: number
  used_quota: number
  unlimited_quota: boolean
  model_limits_enabled: boolean
  /** Separated by commas. */
  model_limits: string
  /** One address or CIDR range a line. */
  allow_ips: string
  /** '' = the user's. */
  group: string
  cross_group_retry: boolean
  DeletedAt: null
}

/** The key as clients send it. */
export const fullKey = (token: Token): string => (token.key === '' ? '' : `sk-${token.key}`)

const maskedKey = ({ key }: Token): string =>
  key === '' ? '' : `sk-${key.slice(0, 4)}****${key.slice(-4)}`

export const isExpired = (token: Token): boolean =>
  token.expiredTime !== -1 && token.expiredTime <= unixSeconds()

export const isExhausted = (token: Token, used: number): boolean =>
  !token.unlimitedQuota && token.grantedQuota - used <= 0

/** A token with its key masked, and what the ledger knows of its use. */
export function toTokenRecord(token: Token, parts: GatewayParts): TokenRecord {
  const used = parts.ledger.totals('token', token.id)
  const lapsed = isExpired(token) ? 3 : isExhausted(token, used.quota) ? 4 : 1
  return {
    id: token.id,
    user_id: token.userId,
    key: maskedKey(token),
    key_unreadable: token.key === '',
    status: token.status === 2 ? 2 : lapsed,
    name: token.name,
    created_time: token.createdTime,
    accessed_time: used.lastUsed,
    expired_time: token.expiredTime,
    // The last call may use more than was left.
    remain_quota: Math.max(0, token.grantedQuota - used.quota),
    used_quota: used.quota,
    unlimited_quota: token.unlimitedQuota,
    model_limits_enabled: token.modelLimitsEnabled,
    model_limits: token.modelLimits.join(','),
    allow_ips: token.allowIps.join('\n'),
    group: token.group,
    cross_group_retry: false,
    DeletedAt: null,
  }
}
