import { z } from 'zod'
import { unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { Ledger } from '../store/ledger.ts'
import { filterInteger, filterText } from './input-fields.ts'
import { defineOperation } from './operation.ts'
import { signedIn } from './signed-in.ts'

const LONGEST_SPAN = 2_592_000

const spanFields = { start_timestamp: filterInteger, end_timestamp: filterInteger }

/** One model of one user in one hour. */
export interface UsageRow {
  id: number
  user_id: number
  username: string
  model_name: string
  /** The hour's beginning, unix seconds. */
  created_at: number
  token_used: number
  count: number
  quota: number
}

/** Without a start the last 30 days, so that no list grows without bounds by itself. */
function readSpan(input: z.output<z.ZodObject<typeof spanFields>>): { start: number; end: number } {
  const end = input.end_timestamp || unixSeconds()
  return { start: input.start_timestamp || end - LONGEST_SPAN, end }
}

const toRows = (rows: ReturnType<Ledger['hourly']>): UsageRow[] =>
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
  access: 'admin',
  http: { method: 'GET', path: '/api/data' },
  input: z.object({ ...spanFields, username: filterText }),
  run: (input, { parts }) =>
    toRows(parts.ledger.hourly({ ...readSpan(input), username: input.username || undefined })),
})

const hourlySelf = defineOperation({
  name: 'usage.hourly-self',
  access: 'user',
  http: { method: 'GET', path: '/api/data/self' },
  input: z.object(spanFields),
  run(input, context) {
    const span = readSpan(input)
    if (span.end - span.start > LONGEST_SPAN) {
      throw new GatewayError('invalid_params', {
        message: 'Ask for at most 30 days at once.',
        field: 'start_timestamp',
      })
    }
    return toRows(context.parts.ledger.hourly({ ...span, userId: signedIn(context).id }))
  },
})

export const usageOperations = [hourly, hourlySelf] as const
