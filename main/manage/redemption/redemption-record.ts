import { z } from 'zod'
import { isExpiredCode, type RedemptionCode } from '../../store/payment/redemption-codes.ts'
import type { GatewayParts } from '../gateway-parts.ts'

/** A code as lists show it (management-api §7). */
export const redemptionRecord = z
  .strictObject({
    id: z.int(),
    user_id: z.int().describe('Who made it.'),
    key: z.string().describe('The code itself: 32 hex digits.'),
    status: z.literal([1, 2, 3]).describe('1 enabled, 2 disabled, 3 used.'),
    name: z.string(),
    quota: z.int().describe('Units that it credits.'),
    created_time: z.int(),
    redeemed_time: z.int().describe('0 = not used.'),
    expired_time: z.int().describe('0 = never.'),
    used_user_id: z.int().describe('0 = not used.'),
    used_username: z.string().describe('Empty also when the user was deleted.'),
    is_expired: z.boolean().describe('Nobody used it in time.'),
    count: z.literal(0).describe('Has a meaning in requests only.'),
    DeletedAt: z.null(),
  })
  .meta({ id: 'RedemptionCode' })

export type RedemptionRecord = z.infer<typeof redemptionRecord>

/** `now` in unix seconds. */
export const toRedemptionRecord = (
  code: RedemptionCode,
  now: number,
  { users }: Pick<GatewayParts, 'users'>,
): RedemptionRecord => ({
  id: code.id,
  user_id: code.userId,
  key: code.code,
  status: code.status,
  name: code.name,
  quota: code.quota,
  created_time: code.createdTime,
  redeemed_time: code.redeemedTime,
  expired_time: code.expiredTime,
  used_user_id: code.usedUserId,
  used_username: users.byId(code.usedUserId)?.username ?? '',
  is_expired: isExpiredCode(code, now),
  count: 0,
  DeletedAt: null,
})
