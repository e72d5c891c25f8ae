import { z } from 'zod'
import { readOwnSetting } from '../account/kept-setting.ts'
import { callRecord, toCallRecord, toOwnCallRecord } from '../calls/call-record.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { filterText, pagingFields } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { pageOutput, readPaging } from '../operation/page.ts'
import { type Reason, reasonOutput } from '../operation/sentence.ts'
import { signedIn } from '../operation/signed-in.ts'

/** By the log’s types (management-api §9). */
const kinds = { account: 4, admin: 3, 'top-up': 1, 'claw-back': 6 } as const
type Kind = keyof typeof kinds

const kindNames = Object.keys(kinds) as [Kind, ...Kind[]]

const eventRecord = callRecord
  .pick({ id: true, user_id: true, username: true, created_at: true, content: true, ip: true })
  .extend({
    kind: z
      .enum(kindNames)
      .describe(
        '`account`: sign-ins, passwords, second factors, and what the gateway did by itself; `admin`: what an administrator changed; `top-up`: credit by a code or a payment; `claw-back`: credit taken back.',
      ),
    quota: z.int().describe('Units credited; negative if taken back.'),
    request_id: z.string().optional(),
    reason: reasonOutput
      .optional()
      .describe('The sentence by code, with the values in it; old entries have none.'),
    by: z.string().describe('Administrator who did it to someone else; empty otherwise.'),
  })

const list = defineOperation({
  name: 'audit.list',
  summary:
    'Lists sign-ins, changes by administrators, codes and payments, the newest first; users who are no administrators see their own.',
  access: 'user',
  http: { method: 'GET', path: '/api/log/audit' },
  input: z.object({
    ...pagingFields,
    kind: z
      .enum(['', ...kindNames])
      .default('')
      .describe('Empty = all.'),
    text: filterText.describe('In the sentence, the address or the user’s name.'),
  }),
  output: pageOutput(eventRecord),
  run(input, context) {
    const user = signedIn(context)
    const isAdministrator = hasAdministratorRole(user)
    const showsIp = readOwnSetting(user).record_ip_log === true
    const { page, pageSize } = readPaging(input)
    const { total, items } = context.parts.ledger.events(
      {
        ...(isAdministrator ? {} : { userId: user.id }),
        ...(input.kind === '' ? {} : { type: kinds[input.kind] }),
        ...(input.text === '' ? {} : { text: input.text }),
      },
      { page, pageSize },
    )
    const first = (page - 1) * pageSize + 1
    const rows = items.map((row, index) => {
      const shown = isAdministrator
        ? toCallRecord(row)
        : toOwnCallRecord(row, first + index, showsIp)
      const { id, user_id, username, created_at, content, ip, quota, request_id, type, other } =
        shown
      return {
        ...{ id, user_id, username, created_at, content, ip, quota },
        ...(request_id === undefined ? {} : { request_id }),
        kind: kindNames.find((name) => kinds[name] === type) ?? 'account',
        ...reasonIn(other),
        by: doneBy(other),
      }
    })
    return { page, page_size: pageSize, total, items: rows }
  },
})

/** Rows from before reasons were kept have none. */
function reasonIn(other: string): { reason?: Reason } {
  const { reason } = JSON.parse(other) as { reason?: Reason }
  return typeof reason?.code === 'string' ? { reason } : {}
}

/** Others than administrators are not told: `admin_info` is not in their rows. */
function doneBy(other: string): string {
  const name = (JSON.parse(other) as { admin_info?: { admin_username?: unknown } }).admin_info
    ?.admin_username
  return typeof name === 'string' ? name : ''
}

export const auditOperations = [list] as const
