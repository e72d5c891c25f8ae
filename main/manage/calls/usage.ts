import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { filterInteger, filterText } from '../operation/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'
import { needExport } from './usage-summary.ts'

const LONGEST_SPAN = 2_592_000
/** Seven days by the hour are some thousand rows; with many models thirty would be tens of thousands. */
const DEFAULT_SPAN = 604_800

const spanFields = { start_timestamp: filterInteger, end_timestamp: filterInteger }

/** One model of one user in one hour. */
const usageRow = z.strictObject({
  id: z.int().describe('The place in this list, from 1.'),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  created_at: z.int().describe('Where the hour begins, unix seconds.'),
  token_used: z.int(),
  count: z.int().describe('Answered calls.'),
  quota: z.int().describe('Units.'),
})

/** Without a start the last 7 days, so that no list grows without bounds by itself. */
function readSpan(input: z.output<z.ZodObject<typeof spanFields>>): { start: number; end: number } {
  const end = input.end_timestamp || unixSeconds()
  return { start: input.start_timestamp || end - DEFAULT_SPAN, end }
}

const toRows = (rows: ReturnType<Ledger['hourly']>): z.infer<typeof usageRow>[] =>
  rows.map((row, index) => ({
    id: index + 1,
    user_id: row.userId,
    username: row.username,
    model_name: row.modelName,
    created_at: row.createdAt,
    token_used: row.tokenUsed,
    count: row.count,
    quota: row.quota,
  }))

const hourly = defineOperation({
  name: 'usage.hourly',
  summary: 'Shows use by hour, user and model, of the last 7 days when no time is given.',
  access: 'admin',
  http: { method: 'GET', path: '/api/data' },
  before: needExport,
  input: z.object({ ...spanFields, username: filterText }),
  output: z.array(usageRow),
  run: (input, { parts }) =>
    toRows(parts.ledger.hourly({ ...readSpan(input), username: input.username || undefined })),
})

const hourlySelf = defineOperation({
  name: 'usage.hourly-self',
  summary: 'Shows one’s own use by hour and model, of at most 30 days.',
  access: 'user',
  http: { method: 'GET', path: '/api/data/self' },
  before: needExport,
  input: z.object(spanFields),
  output: z.array(usageRow),
  run(input, context) {
    const span = readSpan(input)
    if (span.end - span.start > LONGEST_SPAN) {
      throw new GatewayError('invalid_params', {
        message: 'Ask for at most 30 days at once.',
        field: 'start_timestamp',
        reason: { code: 'usage_days_at_most', days: 30 },
      })
    }
    return toRows(context.parts.ledger.hourly({ ...span, userId: signedIn(context).id }))
  },
})

export const usageOperations = [hourly, hourlySelf] as const
