import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { fieldProblems } from '../../base/field-problems.ts'
import { hashPassword, passwordProblem } from '../../base/password.ts'
import { nameProblem } from '../../base/text/login-name.ts'
import { line, quotaUnits } from '../operation/input-fields.ts'

/** A name to sign in with; unique, also among deleted users. */
export const usernameField = line(20)
  .min(1, fieldProblems.field_empty)
  .refine((name) => nameProblem(name) === null, {
    error: ({ input }) => fieldProblems[nameProblem(String(input)) ?? 'field_one_line'],
  })

/** Clients send a record back as they read it: what cannot be written is taken without effect. */
export const readOnly = z.unknown().optional()

/** Read-only for the user and for administrators. */
export const readOnlyFields = {
  ...{ status: readOnly, github_id: readOnly, discord_id: readOnly, oidc_id: readOnly },
  ...{ wechat_id: readOnly, telegram_id: readOnly, linux_do_id: readOnly, used_quota: readOnly },
  ...{ unpriced_calls: readOnly, estimated_calls: readOnly },
  ...{ request_count: readOnly, aff_code: readOnly, aff_count: readOnly, aff_quota: readOnly },
  ...{ aff_history_quota: readOnly, inviter_id: readOnly, setting: readOnly },
  ...{ stripe_customer: readOnly, two_factor_enabled: readOnly, created_time: readOnly },
}

/** Fields of a user that administrators may change. */
export const userFields = {
  display_name: line(20).optional(),
  group: line(64).min(1, fieldProblems.field_empty).optional(),
  remark: z.string().trim().max(255, 'must have at most 255 characters').optional(),
  email: line(50)
    .refine((text) => text === '' || z.email().safeParse(text).success, fieldProblems.field_email)
    .optional(),
  role: z.literal([1, 10, 100], fieldProblems.field_role).optional(),
  quota: quotaUnits.optional().describe('Units that are left.'),
}

/** The hash of a new password of 8 to 72 bytes; throws `invalid_params`. */
export async function hashNewPassword(password: string): Promise<string> {
  const problem = passwordProblem(password)
  if (problem) throw new GatewayError('invalid_params', { ...problem, field: 'password' })
  return hashPassword(password)
}
