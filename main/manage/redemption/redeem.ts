import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Sentence } from '../../base/reason.ts'
import { userBalance } from '../../store/ledger/balance.ts'
import {
  codeByText,
  isExpiredCode,
  type RedemptionCode,
  spendCode,
} from '../../store/payment/redemption-codes.ts'
import { eventRow } from '../calls/event-row.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

/** Why a code cannot be redeemed, for someone who has it in their hands. */
function refusal(code: RedemptionCode | undefined, now: number): GatewayError {
  const field = 'key'
  if (!code) {
    const message = 'There is no such code. Check that you entered all 32 characters.'
    return new GatewayError('not_found', { message, field, reason: { code: 'code_unknown' } })
  }
  if (code.status === 3) {
    return new GatewayError('already_used', {
      message: 'This code has been used already.',
      field,
      reason: { code: 'code_used' },
    })
  }
  if (code.status === 2) {
    const message = 'This code is disabled. Ask the person who gave it to you.'
    return new GatewayError('disabled', { message, field, reason: { code: 'code_disabled' } })
  }
  if (isExpiredCode(code, now)) {
    const day = new Date(code.expiredTime * 1000).toISOString().slice(0, 10)
    return new GatewayError('expired', {
      message: `This code expired on ${day}.`,
      field,
      reason: { code: 'code_expired', day },
    })
  }
  return new GatewayError('conflict', {
    message: 'This code has just been changed. Try again.',
    reason: { code: 'code_changed' },
  })
}

const redeem = defineOperation({
  name: 'topup.redeem',
  summary:
    'Redeems a code: credits its quota to who is signed in, once, and gives the units. Administrators cannot: the owner credits them.',
  access: 'user',
  http: { method: 'POST', path: '/api/user/topup' },
  limit: 'critical',
  input: z.strictObject({ key: z.string().trim().min(1, fieldProblems.field_empty).max(100) }),
  output: z.int().describe('Units credited.'),
  run({ key }, context): number {
    const { parts, requestId, ip } = context
    const { ledger } = parts
    const user = signedIn(context)
    // Administrators see all codes, and make them: having one shows nothing.
    if (user.role === 10) {
      throw new GatewayError('forbidden', {
        message: 'Administrators cannot redeem codes. Ask the owner to credit you.',
        reason: { code: 'code_not_for_administrators' },
        field: 'key',
      })
    }
    const now = unixSeconds()
    return ledger.transact((transaction) => {
      const code = codeByText(transaction.all, key.toLowerCase())
      if (code && userBalance(user, ledger) + code.quota > MAX_QUOTA) {
        throw new GatewayError('conflict', {
          message: `With this code you would have more than ${quotaText(MAX_QUOTA)}. Use some first; the code stays valid.`,
          reason: { code: 'code_too_much', most: quotaText(MAX_QUOTA) },
        })
      }
      if (!code || !spendCode(transaction, { id: code.id, usedUserId: user.id, now })) {
        throw refusal(code, now)
      }
      const { id, name } = code
      const amount = quotaText(code.quota)
      const content: Sentence = {
        message: `Redeemed the code ${id} ("${name}"): ${amount} credited.`,
        reason: { code: 'audit_code_redeemed', id, name, amount },
      }
      const other = { redemption_id: code.id, created_by: code.userId }
      transaction.book(eventRow(1, user, content, { requestId, ip, quota: code.quota, other }))
      return code.quota
    })
  },
})

export const redeemOperations = [redeem] as const
