import { z } from 'zod'
import { asString } from '../../convert/json/json-value.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import { readingPart } from '../captures/capture-comparisons.ts'
import { defineOperation } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { findSession } from './find-session.ts'
import { ownSessions } from './own-sessions.ts'
import { sessionDoctor } from './session-doctor.ts'
import { sessionInput } from './session-input.ts'
import { sessionList } from './session-list.ts'
import { isFailed, otherOf, reasoningOf, toSessionCall } from './session-rows.ts'
import { sessionSummary, toSessionSummary } from './session-summary.ts'
import { readTurns, type SessionTurn } from './session-turns.ts'

const sessionCall = z.strictObject({
  request_id: z.string(),
  created_at: z.int().describe('Unix seconds of its end.'),
  use_time_ms: z.int(),
  model_name: z.string(),
  channel_name: z.string().describe('Empty for users who are no administrators.'),
  status: z.int(),
  error: z.string().describe('Of a failed call its message; else empty.'),
  kind: z
    .enum(['main', 'agent', 'background'])
    .describe('The agent itself, a sub-agent, or a side task such as a title.'),
  agent: z.string().nullable().describe('Id of the sub-agent.'),
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  completion_tokens: z.int(),
  reasoning_tokens: z.int(),
  is_estimated: z.boolean(),
  is_unpriced: z.boolean(),
  quota: z.int().describe('Units.'),
  quota_so_far: z
    .int()
    .nullable()
    .describe('Of this call and all before it in the session; null while none has a known price.'),
  unpriced_so_far: z.int().describe('Of the same calls those whose cost is not known.'),
  estimated_so_far: z.int().describe('Of the same calls those whose tokens are an estimate.'),
  input: z
    .array(readingPart)
    .nullable()
    .describe('Said since the call before, system prompt aside; null where nothing was captured.'),
  output: z.array(readingPart).nullable(),
  problem: z.string().nullable().describe('Why a side is missing.'),
  reason: reasonOutput.nullable(),
})

/** A failed call that cost nothing says nothing of its model's price. */
const hasPrice = (row: StoredCall): boolean => !row.isUnpriced && (row.quota > 0 || !isFailed(row))

function toCall(
  { row, line, input, output, problem, reason }: SessionTurn,
  soFar: CostSoFar,
  showsChannel: boolean,
): z.infer<typeof sessionCall> {
  const other = otherOf(row)
  return {
    request_id: row.requestId,
    created_at: row.createdAt,
    use_time_ms: Math.round(row.useTime),
    model_name: row.model,
    channel_name: showsChannel ? row.channelName : '',
    status: row.status,
    error: isFailed(row) ? row.content || (asString(other.error_code) ?? '') : '',
    ...{ kind: line.kind, agent: line.agent },
    ...{ prompt_tokens: row.promptTokens, cached_tokens: row.cachedTokens },
    cache_write_tokens: toSessionCall(row).cacheWrite,
    completion_tokens: row.completionTokens,
    reasoning_tokens: reasoningOf(row),
    is_estimated: row.isEstimated,
    is_unpriced: row.isUnpriced,
    ...{ quota: row.quota, quota_so_far: soFar.quota },
    ...{ unpriced_so_far: soFar.unpriced, estimated_so_far: soFar.estimated },
    ...{ input, output, problem, reason },
  }
}

/** What a session had cost when a call ended. */
interface CostSoFar {
  quota: number | null
  unpriced: number
  estimated: number
}

const get = defineOperation({
  name: 'agent-session.get',
  summary: 'Shows a session: its calls, and what was said in each as far as it was captured.',
  access: 'user',
  http: { method: 'GET', path: '/api/sessions/:id' },
  input: sessionInput,
  output: z.strictObject({
    session: sessionSummary,
    calls: z.array(sessionCall).describe('The oldest first; of more than 1000 the newest.'),
  }),
  async run(input, context) {
    const { sum, rows } = await findSession(input, context)
    const showsChannel = ownSessions(context).length === 0
    const turns = await readTurns(rows, context)
    const soFar: CostSoFar = { quota: null, unpriced: 0, estimated: 0 }
    const calls = turns.map((turn) => {
      if (turn.row.isUnpriced) soFar.unpriced++
      if (turn.row.isEstimated) soFar.estimated++
      if (hasPrice(turn.row)) soFar.quota = (soFar.quota ?? 0) + turn.row.quota
      return toCall(turn, soFar, showsChannel)
    })
    return { session: await toSessionSummary(sum, context), calls }
  },
})

export const agentSessionOperations = [sessionList, get, sessionDoctor] as const
