import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { asString } from '../../convert/json/json-value.ts'
import { CHANNEL_TEST } from '../../relay/call/call.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import { requireCaptures } from '../captures/own-capture.ts'
import { hasAdministratorRole } from '../operation/has-administrator-role.ts'
import { integer } from '../operation/input-fields.ts'
import { defineOperation, type OperationContext } from '../operation/operation.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { signedIn } from '../operation/signed-in.ts'
import { otherOf } from '../sessions/session-rows.ts'
import { replaySource, wholeBody } from './replay-source.ts'

const PAGE = 100
/** Rows that are looked through: of failures, and of calls some of which broke off. */
const FAILURE_PAGES = 2
const CALL_PAGES = 3

/** Calls of the console's own that nobody wants to repeat. */
const ownOrigins: ReadonlySet<string> = new Set(['replay', CHANNEL_TEST])

const ERROR = 5
const CONSUME = 2

/** Failed for its client, and not because somebody stopped it. */
function isFailure(row: StoredCall): boolean {
  if (row.tokenId === 0 && ownOrigins.has(row.tokenName)) return false
  if (row.status === 499) return false
  return row.type === ERROR || (row.type === CONSUME && otherOf(row).error_code !== undefined)
}

/** The newest failures of a user, or of all, the newest first. */
function newestFailures(userId: number | null, { parts }: OperationContext): StoredCall[] {
  const found = new Map<number, StoredCall>()
  const read = (type: number | undefined, pages: number) => {
    for (let page = 1; page <= pages; page++) {
      const filter = { ...(userId === null ? {} : { userId }), ...(type ? { type } : {}) }
      const { items } = parts.ledger.list(filter, { page, pageSize: PAGE })
      for (const row of items) if (isFailure(row)) found.set(row.id, row)
      if (items.length < PAGE) return
    }
  }
  read(ERROR, FAILURE_PAGES)
  read(undefined, CALL_PAGES)
  return [...found.values()].sort((one, other) => other.id - one.id)
}

/** Why a call can’t be replayed; null where it can. */
function reasonAgainst(id: string, context: OperationContext): GatewayError | null {
  try {
    wholeBody(replaySource(id, context))
    return null
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

const failure = z.strictObject({
  request_id: z.string(),
  created_at: z.int().describe('Unix seconds.'),
  model: z.string(),
  channel_name: z.string().describe('Empty for users who are no administrators.'),
  status: z.int().describe('HTTP status that the client saw.'),
  error_code: z.string(),
  message: z.string(),
  message_reason: reasonOutput.nullable().describe('The same by code and values, if known.'),
  reason: z.string().nullable().describe('Why it can’t be replayed; null where it can.'),
  reason_coded: reasonOutput.nullable().describe('The same by code and values, if known.'),
})

/** The newest failed calls, for a table that replays them one by one. */
export const failures = defineOperation({
  name: 'replay.failures',
  summary: 'Lists the newest failed calls, and why some can’t be replayed.',
  access: 'user',
  proof: 'session',
  http: { method: 'GET', path: '/api/replays/failures' },
  input: z.object({
    limit: integer
      .pipe(z.int().min(1).max(50))
      .default(10)
      .describe('Calls that can be replayed; as many others are listed at most.'),
  }),
  output: z.strictObject({ failures: z.array(failure) }),
  async run({ limit }, context): Promise<{ failures: z.infer<typeof failure>[] }> {
    requireCaptures(context)
    const user = signedIn(context)
    const isAdministrator = hasAdministratorRole(user)
    const listed: z.infer<typeof failure>[] = []
    const left = { replayable: limit, others: limit }
    const rows = newestFailures(isAdministrator ? null : user.id, context)
    const captured = context.parts.captures.has(rows.map(({ requestId }) => requestId))
    for (const row of rows) {
      if (left.replayable === 0) break
      const isCaptured = captured.has(row.requestId)
      if (!isCaptured && left.others === 0) continue
      const against = reasonAgainst(row.requestId, context)
      // To open a capture takes a while: calls go on between them.
      if (isCaptured) await nextTurn()
      context.signal.throwIfAborted()
      const kind = against === null ? 'replayable' : 'others'
      if (left[kind] === 0) continue
      left[kind] -= 1
      const other = otherOf(row)
      listed.push({
        request_id: row.requestId,
        created_at: row.createdAt,
        model: row.model,
        channel_name: isAdministrator ? row.channelName : '',
        status: row.status,
        error_code: asString(other.error_code) ?? '',
        message: row.content,
        message_reason: reasonOutput.safeParse(other.error_reason).data ?? null,
        reason: against?.message ?? null,
        reason_coded: against?.reason ?? null,
      })
    }
    return { failures: listed }
  },
})
