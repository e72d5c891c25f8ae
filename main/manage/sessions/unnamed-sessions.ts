import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Capture } from '../../capture/capture.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import { bytesOf, jsonOf } from '../../inspect/body/body-content.ts'
import {
  linkByPrefix,
  prefixesOf,
  type UnnamedCall,
} from '../../inspect/sessions/growing-prefix.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { SearchCondition } from '../../store/ledger/search/search-condition.ts'
import type { OperationContext } from '../operation/operation.ts'
import { otherOf } from './session-rows.ts'
import { readableCapture } from './session-texts.ts'

/** The newest calls in which such sessions are looked for. */
const LOOKED_AT = 500
/** Prefix of the ids of sessions that nobody named; the request id of the first call follows. */
const UNNAMED = 'calls:'
const ANSWER_ID_WITHIN = 4096

export interface UnnamedSession {
  id: string
  /** The oldest first. */
  rows: StoredCall[]
}

export const isUnnamed = (id: string): boolean => id.startsWith(UNNAMED)

function answerIdOf({ client }: Capture): string | null {
  if (!client.answer) return null
  const beginning = bytesOf(client.answer.body).toString('latin1', 0, ANSWER_ID_WITHIN)
  return /"id"\s*:\s*"(resp_[^"]+)"/.exec(beginning)?.[1] ?? null
}

function unnamedCall(capture: Capture): UnnamedCall {
  const body = asObject(jsonOf(capture.client.request.body))
  const turns = body?.messages ?? body?.input ?? body?.contents
  return {
    requestId: capture.id,
    tokenId: capture.tokenId,
    prefixes: prefixesOf(Array.isArray(turns) ? asArray(turns) : []),
    answerId: answerIdOf(capture),
    previousId: asString(body?.previous_response_id) ?? null,
  }
}

/** Read once while the capture is there; digests and ids only. */
const known = new WeakMap<object, Map<string, UnnamedCall>>()

async function readCalls(
  rows: readonly StoredCall[],
  context: OperationContext,
): Promise<UnnamedCall[]> {
  const { captures } = context.parts
  const before = known.get(captures) ?? new Map<string, UnnamedCall>()
  const now = new Map<string, UnnamedCall>()
  const there = captures.has(rows.map(({ requestId }) => requestId))
  const calls: UnnamedCall[] = []
  for (const { requestId } of rows) {
    if (!there.has(requestId)) continue
    let call = before.get(requestId)
    if (!call) {
      const capture = readableCapture(requestId, context)
      if (!capture) continue
      call = unnamedCall(capture)
      await nextTurn()
    }
    now.set(requestId, call)
    calls.push(call)
  }
  known.set(captures, now)
  return calls
}

/**
 * Sessions of clients that name none: the newest calls of one token whose conversations grow out of each other, as
 * far as they were captured.
 */
export async function findUnnamedSessions(
  conditions: readonly SearchCondition[],
  context: OperationContext,
): Promise<UnnamedSession[]> {
  const { rows } = await context.parts.ledger.find(
    [{ test: 'types', types: [2, 5], isNegated: false }, ...conditions],
    { cursor: null, limit: LOOKED_AT, sort: 'time', order: 'desc', signal: context.signal },
  )
  const unnamed = rows.filter((row) => otherOf(row).session === undefined).reverse()
  const byId = new Map(unnamed.map((row) => [row.requestId, row]))
  const groups = linkByPrefix(await readCalls(unnamed, context))
  return groups.map((ids) => ({
    id: `${UNNAMED}${ids[0]}`,
    rows: ids.flatMap((id) => byId.get(id) ?? []),
  }))
}
