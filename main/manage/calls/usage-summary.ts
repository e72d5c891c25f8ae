import { z } from 'zod'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { UsageQuestion, UsageSum } from '../../store/ledger/ledger.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { filterInteger, filterText } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { signedIn } from '../operation/signed-in.ts'

const DAY = 86_400
const DEFAULT_DAYS = 30

/** Days that may be asked for at once, so that no answer has more rows than a chart can show. */
const longestDays = { hour: 7, day: 400, week: 2000, all: Number.POSITIVE_INFINITY }
const LARGEST_ANSWER = 20_000

/** Refuses while the owner has switched the charts off. */
export function needExport({ parts }: Pick<OperationContext, 'parts'>): void {
  if (parts.settings.current.DataExportEnabled) return
  throw new GatewayError('forbidden', {
    message: 'Usage charts are switched off. Switch the option DataExportEnabled on to see them.',
    reason: { code: 'charts_off' },
  })
}

const usageSummary = z.strictObject({
  start: z.int().describe('Unix seconds, included.'),
  end: z.int().describe('Unix seconds, included.'),
  step: z.enum(['hour', 'day', 'week', 'all']),
  rows: z.array(
    z.strictObject({
      key: z.string().describe('A model’s name, or the id of a channel, token or user; 0 = none.'),
      label: z
        .string()
        .describe('Its present name; `#id` when it is gone; empty where there is none.'),
      time: z.int().describe('Where the step begins, unix seconds.'),
      calls: z.int().describe('Failed ones included.'),
      errors: z.int().describe('The failed ones.'),
      unpriced: z.int().describe('Calls whose model had no price; they add nothing to `quota`.'),
      quota: z.int().describe('Units.'),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      cached_tokens: z.int().describe('Of the prompt tokens, those that the vendor had cached.'),
      estimated: z
        .int()
        .describe('Calls whose tokens are an estimate, and so their cost; they are in the sums.'),
    }),
  ),
})

type UsageSummary = z.infer<typeof usageSummary>

const spanFields = {
  start_timestamp: filterInteger.describe('Unix seconds; 30 days before the end if none.'),
  end_timestamp: filterInteger.describe('Unix seconds; now if none.'),
  step: z
    .enum(['hour', 'day', 'week', 'all'])
    .default('day')
    .describe('Days and weeks are those of the gateway’s calendar; `all` is one sum of it all.'),
}

type SummaryInput = Pick<UsageQuestion, 'by' | 'step' | 'userId' | 'username'> & {
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
}

function summarize(asked: SummaryInput, parts: GatewayParts): UsageSummary {
  const { start_timestamp, end_timestamp, ...question } = asked
  const end = end_timestamp || unixSeconds()
  const start = start_timestamp || end - DEFAULT_DAYS * DAY
  checkSpan(start, end, asked.step)
  const sums = parts.ledger.summary({ ...question, start, end })
  if (sums.length > LARGEST_ANSWER) {
    throw tooMuch(
      `There are more than ${LARGEST_ANSWER} rows. Ask for less time or a longer step.`,
      { code: 'usage_rows_too_many', most: LARGEST_ANSWER },
    )
  }
  const labels = new Map<string, string>()
  const label = (key: string): string => {
    const known = labels.get(key) ?? labelOf(asked.by, key, parts)
    labels.set(key, known)
    return known
  }
  return { start, end, step: asked.step, rows: sums.map((sum) => toRow(sum, label(sum.key))) }
}

function checkSpan(start: number, end: number, step: UsageQuestion['step']): void {
  if (start > end)
    throw tooMuch('The start must not be after the end.', { code: 'start_after_end' })
  const days = longestDays[step]
  // A day more, as calendar days are up to 25 hours long.
  if (end - start > (days + 1) * DAY) {
    throw tooMuch(`Ask for at most ${days} days by the ${step}, or for a longer step.`, {
      code: 'usage_span_too_long',
      days,
      step,
    })
  }
}

const tooMuch = (message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field: 'start_timestamp', reason })

/** Records of tokens and users outlive their deletion, but are then in no index. */
function labelOf(by: UsageQuestion['by'], key: string, parts: GatewayParts): string {
  if (by === 'model') return key
  const id = Number(key)
  if (id === 0) return ''
  const { tokens, users } = parts.state.data
  const found = {
    channel: () => parts.channels.byId(id)?.name,
    token: () => (parts.tokens.byId(id) ?? tokens.find((token) => token.id === id))?.name,
    user: () => (parts.users.byId(id) ?? users.find((user) => user.id === id))?.username,
  }
  return found[by]() ?? `#${id}`
}

const toRow = (sum: UsageSum, label: string): UsageSummary['rows'][number] => ({
  key: sum.key,
  label,
  time: sum.time,
  calls: sum.calls,
  errors: sum.errors,
  unpriced: sum.unpriced,
  quota: sum.quota,
  prompt_tokens: sum.promptTokens,
  completion_tokens: sum.completionTokens,
  cached_tokens: sum.cachedTokens,
  estimated: sum.estimated,
})

const summary = defineOperation({
  name: 'usage.summary',
  summary: 'Adds up use by model, channel, token or user, in steps of time.',
  access: 'admin',
  http: { method: 'GET', path: '/api/usage/summary' },
  before: needExport,
  input: z.object({
    ...spanFields,
    by: z.enum(['model', 'channel', 'token', 'user']).default('model'),
    username: filterText,
  }),
  output: usageSummary,
  run: ({ username, ...input }, { parts }) =>
    summarize({ ...input, username: username || undefined }, parts),
})

const summarySelf = defineOperation({
  name: 'usage.summary-self',
  summary: 'Adds up one’s own use by model or token, in steps of time.',
  access: 'user',
  http: { method: 'GET', path: '/api/usage/summary/self' },
  before: needExport,
  input: z.object({ ...spanFields, by: z.enum(['model', 'token']).default('model') }),
  output: usageSummary,
  run: (input, context) => summarize({ ...input, userId: signedIn(context).id }, context.parts),
})

export const usageSummaryOperations = [summary, summarySelf] as const
