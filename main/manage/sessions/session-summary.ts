import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Capture } from '../../capture/capture.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SessionSum } from '../../store/ledger/search/session-search.ts'
import type { OperationContext } from '../operation/operation.ts'
import { otherOf } from './session-rows.ts'
import { hasTools, readableCapture, titleOf } from './session-texts.ts'

export const sessionSummary = z.strictObject({
  id: z
    .string()
    .describe(
      'The client and its own id, `codex:019a…`; `calls:` and the first request id for a client that names none.',
    ),
  user_id: z.int(),
  username: z.string(),
  token_name: z.string(),
  client: z.string().describe('User-Agent.'),
  title: z
    .string()
    .nullable()
    .describe('The first thing that was asked; null where no call was captured.'),
  started_at: z.int().describe('Unix seconds.'),
  ended_at: z.int().describe('Unix seconds.'),
  calls: z.int(),
  errors: z.int(),
  models: z.array(z.string()).describe('The one with most input first.'),
  prompt_tokens: z.int().describe('Cached ones included.'),
  cached_tokens: z.int(),
  completion_tokens: z.int(),
  cache_hit_rate: z.number().nullable().describe('0 to 1; null without input.'),
  quota: z.int().nullable().describe('Units; null where no call has a known price.'),
  unpriced: z.int().describe('Calls whose cost is not known and not in `quota`.'),
  estimated: z.int().describe('Calls whose tokens are an estimate, and so their cost.'),
})

export type SessionSummary = z.infer<typeof sessionSummary>

interface KnownTitle {
  captureId: string
  title: string | null
}

/** Titles by session, as long as the capture is there that they were read in. */
const titles = new WeakMap<object, Map<string, KnownTitle>>()
const MOST_TITLES = 1000
/** Calls of a session that are looked at for its title: the first may be a side task. */
const LOOKED_AT = 6

/** The first of an agent's own calls: side tasks have no tools, or another one's words. */
function openingOf(rows: readonly StoredCall[], context: OperationContext): Capture | null {
  let first: Capture | null = null
  for (const row of rows) {
    const { agent, background } = otherOf(row)
    if (agent !== undefined || background === true) continue
    const capture = readableCapture(row.requestId, context)
    if (!capture) continue
    if (hasTools(capture)) return capture
    first ??= capture
  }
  return first
}

/** The first calls of a session, or those of its newest of which something is captured. */
async function openingRows(
  { session, userId }: SessionSum,
  { parts: { ledger, captures } }: OperationContext,
): Promise<StoredCall[]> {
  const key = { session, userId }
  for (const which of ['oldest', 'newest'] as const) {
    const rows = await ledger.callsOfSession(key, LOOKED_AT, which)
    if (captures.has(rows.map(({ requestId }) => requestId)).size > 0) return rows
  }
  return []
}

async function readTitle(sum: SessionSum, context: OperationContext): Promise<string | null> {
  const { captures } = context.parts
  const known = titles.get(captures) ?? new Map<string, KnownTitle>()
  titles.set(captures, known)
  for (const [key, { captureId }] of known) {
    if (known.size > MOST_TITLES || !captures.has([captureId]).has(captureId)) known.delete(key)
  }
  const key = `${sum.userId} ${sum.session}`
  const found = known.get(key)
  if (found && readableCapture(found.captureId, context)) return found.title
  const opening = openingOf(await openingRows(sum, context), context)
  if (!opening) return null
  const title = titleOf(opening)
  known.set(key, { captureId: opening.id, title })
  await nextTurn()
  return title
}

/** A session as lists show it. */
export async function toSessionSummary(
  sum: SessionSum,
  context: OperationContext,
): Promise<SessionSummary> {
  return {
    id: sum.session,
    ...{ user_id: sum.userId, username: sum.username, token_name: sum.token, client: sum.client },
    title: await readTitle(sum, context),
    ...{ started_at: sum.startedAt, ended_at: sum.endedAt, calls: sum.calls, errors: sum.errors },
    models: sum.models,
    ...{ prompt_tokens: sum.input, cached_tokens: sum.cachedInput },
    completion_tokens: sum.output,
    cache_hit_rate: sum.input > 0 ? sum.cachedInput / sum.input : null,
    quota: sum.quota,
    ...{ unpriced: sum.unpriced, estimated: sum.estimated },
  }
}
