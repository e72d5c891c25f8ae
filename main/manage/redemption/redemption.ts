import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Reason, Sentence } from '../../base/reason.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import {
  addCode,
  changeCode,
  codeById,
  deleteCode,
  deleteInvalidCodes,
  type RedemptionCode,
} from '../../store/payment/redemption-codes.ts'
import { eventRow } from '../calls/event-row.ts'
import { integer, line, quotaUnits, recordId, unixTime } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { type RedemptionRecord, redemptionRecord, toRedemptionRecord } from './redemption-record.ts'

const MOST_AT_ONCE = 100
/** Quota of a code that was made without one, as in new-api. */
const USUAL_QUOTA = 100

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

function existingCode(read: Ledger['read'], id: number): RedemptionCode {
  const code = codeById(read, id)
  if (code) return code
  throw new GatewayError('not_found', {
    message: `There is no redemption code ${id}. It may have been deleted: reload the list.`,
    field: 'id',
    reason: { code: 'no_redemption_code', id },
  })
}

const name = line(20).min(1, fieldProblems.field_empty)

const expiredTime = unixTime.refine((time) => time >= 0, fieldProblems.field_code_expiry)

const readOnly = z.unknown().optional()

/** Taken without effect, because clients send a record back as they read it. */
const readOnlyFields = {
  user_id: readOnly,
  key: readOnly,
  created_time: readOnly,
  redeemed_time: readOnly,
  used_user_id: readOnly,
  used_username: readOnly,
  is_expired: readOnly,
  DeletedAt: readOnly,
}

const get = defineOperation({
  name: 'redemption.get',
  summary: 'Gives one redemption code.',
  access: 'admin',
  http: { method: 'GET', path: '/api/redemption/:id' },
  input: z.object({ id: recordId }),
  output: redemptionRecord,
  run: ({ id }, { parts }) =>
    toRedemptionRecord(
      existingCode(parts.ledger.read.bind(parts.ledger), id),
      unixSeconds(),
      parts,
    ),
})

const create = defineOperation({
  name: 'redemption.create',
  summary: 'Makes up to 100 redemption codes, all or none, and gives their texts.',
  access: 'admin',
  http: { method: 'POST', path: '/api/redemption' },
  input: z.strictObject({
    name,
    count: integer
      .refine((count) => count >= 1, {
        message: 'must be at least 1',
        params: { reason: { code: 'field_too_small', least: 1 } satisfies Reason },
      })
      .refine((count) => count <= MOST_AT_ONCE, {
        message: `can be at most ${MOST_AT_ONCE}`,
        params: { reason: { code: 'field_too_large', most: MOST_AT_ONCE } satisfies Reason },
      }),
    quota: quotaUnits
      .refine((value) => value >= 0, fieldProblems.field_negative)
      .optional()
      .describe('Units that each code credits; 100 when none or 0 is given.'),
    expired_time: expiredTime.optional().describe('0 = never.'),
    ...readOnlyFields,
    id: readOnly,
    status: readOnly,
  }),
  output: z.array(z.string()),
  run(input, context): string[] {
    const { parts, requestId, ip } = context
    const user = signedIn(context)
    const now = unixSeconds()
    const { count, expired_time: expiry = 0 } = input
    if (expiry !== 0 && expiry < now)
      throw refuse('expired_time', 'The expiry is in the past. Choose a later one.', {
        code: 'expiry_past',
      })
    const quota = input.quota || USUAL_QUOTA
    return parts.ledger.transact((transaction) => {
      const codes = Array.from({ length: count }, () =>
        addCode(transaction, {
          userId: user.id,
          name: input.name,
          quota,
          createdTime: now,
          expiredTime: expiry,
        }),
      )
      const content: Sentence = {
        message: `Made ${count === 1 ? 'a redemption code' : `${count} redemption codes`} "${input.name}" of ${quotaText(quota)}${count === 1 ? '' : ' each'}.`,
        reason: { code: 'audit_codes_made', count, name: input.name, amount: quotaText(quota) },
      }
      transaction.book(eventRow(3, user, content, { requestId, ip }))
      return codes
    })
  },
})

/** The credit of a used code, and that it is used, are history. */
function refuseRewriting(before: RedemptionCode, after: RedemptionCode): void {
  if (before.status !== 3) return
  const field =
    after.quota !== before.quota
      ? 'quota'
      : after.status !== before.status
        ? 'status'
        : after.expiredTime !== before.expiredTime
          ? 'expired_time'
          : null
  if (field === null) return
  throw new GatewayError('conflict', {
    message: `The code ${before.id} has been used: it can be given another name, but its ${field} stays as it is.`,
    field,
    reason: { code: 'used_code_only_renamed', id: before.id },
  })
}

const update = defineOperation({
  name: 'redemption.update',
  summary:
    'Changes a code: its name, quota and expiry, or with status_only whether it is enabled. Fields that are left out keep their value.',
  access: 'admin',
  http: { method: 'PUT', path: '/api/redemption' },
  input: z.strictObject({
    id: recordId,
    name: name.optional(),
    quota: quotaUnits.refine((value) => value > 0, fieldProblems.field_above_nothing).optional(),
    expired_time: expiredTime.optional(),
    status: z
      .literal([1, 2, 3], fieldProblems.field_status)
      .optional()
      .describe('Read with status_only alone.'),
    status_only: z
      .union([z.boolean(), z.int(), z.string()])
      .optional()
      .describe('Any text that is not empty: only the status is changed.'),
    ...readOnlyFields,
    count: readOnly,
  }),
  output: redemptionRecord,
  run(input, context): RedemptionRecord {
    const { parts, requestId, ip } = context
    const now = unixSeconds()
    return parts.ledger.transact((transaction) => {
      const before = existingCode(transaction.all, input.id)
      const after = { ...before }
      if (input.status_only) {
        if (input.status === undefined) {
          throw refuse(
            'status',
            'The field "status" is missing. Use 1 (enabled) or 2 (disabled).',
            { code: 'field_missing' },
          )
        }
        after.status = input.status
        if (after.status === 3 && before.status !== 3) {
          throw refuse('status', 'Status must be 1 (enabled) or 2 (disabled).', {
            code: 'field_one_of',
            values: '1, 2',
          })
        }
      } else {
        after.name = input.name ?? before.name
        after.quota = input.quota ?? before.quota
        after.expiredTime = input.expired_time ?? before.expiredTime
        const isNew = after.expiredTime !== before.expiredTime
        // An expiry that has passed may stay as it is, but none can be set into the past.
        if (isNew && after.expiredTime !== 0 && after.expiredTime < now) {
          throw refuse('expired_time', 'The expiry is in the past. Choose a later one.', {
            code: 'expiry_past',
          })
        }
      }
      refuseRewriting(before, after)
      changeCode(transaction, before.id, after)
      if (after.status !== before.status) {
        const { id, name } = before
        const word = after.status === 1 ? 'enabled' : 'disabled'
        const content: Sentence = {
          message: `${after.status === 1 ? 'Enabled' : 'Disabled'} the code ${id} ("${name}").`,
          reason: { code: `audit_code_${word}`, id, name },
        }
        transaction.book(eventRow(3, signedIn(context), content, { requestId, ip }))
      }
      if (after.quota !== before.quota) {
        const content: Sentence = {
          message: `Changed the worth of the code ${before.id} ("${after.name}") from ${quotaText(before.quota)} to ${quotaText(after.quota)}.`,
          reason: {
            code: 'audit_code_worth',
            ...{ id: before.id, name: after.name },
            ...{ before: quotaText(before.quota), after: quotaText(after.quota) },
          },
        }
        transaction.book(eventRow(3, signedIn(context), content, { requestId, ip }))
      }
      return toRedemptionRecord(after, now, parts)
    })
  },
})

const remove = defineOperation({
  name: 'redemption.delete',
  summary: 'Deletes a code. What a used one credited stays, and stays in the log.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/redemption/:id' },
  input: z.object({ id: recordId }),
  output: z.undefined(),
  run({ id }, context): undefined {
    const { parts, requestId, ip } = context
    parts.ledger.transact((transaction) => {
      const { name } = existingCode(transaction.all, id)
      deleteCode(transaction, { id, now: unixSeconds() })
      const content: Sentence = {
        message: `Deleted the code ${id} ("${name}").`,
        reason: { code: 'audit_code_deleted', id, name },
      }
      transaction.book(eventRow(3, signedIn(context), content, { requestId, ip }))
    })
  },
})

const removeInvalid = defineOperation({
  name: 'redemption.delete-invalid',
  summary: 'Deletes all codes that are used, disabled or expired, and says how many.',
  access: 'admin',
  http: { method: 'DELETE', path: '/api/redemption/invalid' },
  input: z.object({}),
  output: z.int(),
  run(_input, context): number {
    const { parts, requestId, ip } = context
    return parts.ledger.transact((transaction) => {
      const count = deleteInvalidCodes(transaction, unixSeconds())
      if (count > 0) {
        const content: Sentence = {
          message: `Deleted ${count} ${count === 1 ? 'code' : 'codes'} that could not be redeemed any more.`,
          reason: { code: 'audit_codes_deleted', count },
        }
        transaction.book(eventRow(3, signedIn(context), content, { requestId, ip }))
      }
      return count
    })
  },
})

export const redemptionOperations = [get, create, update, remove, removeInvalid] as const
