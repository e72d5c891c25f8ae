import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseJson } from '../../base/text/parse-json.ts'
import { bodiesOfCapture } from '../../capture/bodies-of-capture.ts'
import type { Capture } from '../../capture/capture.ts'
import type { Captures } from '../../capture/captures.ts'
import type { CallFormat } from '../../convert/call-format.ts'
import { isWireFormat } from '../../convert/codecs.ts'
import { JsonFields } from '../../convert/json/json-fields.ts'
import { asObject, asString, type JsonObject } from '../../convert/json/json-value.ts'
import { bytesOf, isCutBody } from '../../inspect/body/body-content.ts'
import type { ConversationIndex } from '../../inspect/sessions/conversation-index.ts'
import { CHANNEL_TEST } from '../../relay/call/call.ts'
import type { Ledger, StoredCall } from '../../store/ledger/ledger.ts'
import { UNNAMED, unnamedCall } from './unnamed-call.ts'

/** Captures of earlier runs that are looked at, and bytes of what was kept of them. */
const MOST_CALLS = 200
const MOST_BYTES = 32 * 1024 * 1024

export interface RecalledFrom {
  ledger: Pick<Ledger, 'list'>
  captures: Pick<Captures, 'find' | 'newestOnDisk'>
}

/**
 * Takes the newest calls that are captured on disk into the index, so that their conversations go on after a restart.
 * Of the others nothing tells what was said in them: they begin anew.
 */
export async function recallSessions(
  index: ConversationIndex,
  from: RecalledFrom,
  isStopped: () => boolean,
): Promise<void> {
  let bytes = 0
  for (const id of from.captures.newestOnDisk(MOST_CALLS)) {
    if (isStopped() || bytes > MOST_BYTES) return
    bytes += recallCall(id, index, from)
    // Bodies may be large: calls go on between them.
    await nextTurn()
  }
}

/** Named by its client, or a call that could have no session: repeated, a mere count of tokens, failed, a test. */
function isApart(row: StoredCall, other: JsonObject, session: string | null): boolean {
  if (session !== null) return !session.startsWith(UNNAMED)
  const isTest = row.tokenId === 0 && row.tokenName === CHANNEL_TEST
  return isTest || other.replay_of !== undefined || row.completionTokens === 0
}

/** Over a WebSocket the request is its first message. */
const requestIn = ({ client, frames }: Capture): Buffer | null => {
  if (frames) return frames.find(({ border }) => border === 'client-in')?.data ?? null
  return isCutBody(client.request.body) ? null : bytesOf(client.request.body)
}

/** Bytes of the capture that was read for it. */
function recallCall(
  id: string,
  index: ConversationIndex,
  { ledger, captures }: RecalledFrom,
): number {
  const row = ledger.list({ requestId: id }, { page: 1, pageSize: 1 }).items[0]
  const other = row && asObject(parseJson(Buffer.from(row.other)))
  if (!other || !isWireFormat(other.wire_format as CallFormat)) return 0
  const session = asString(other.session) ?? null
  if (isApart(row, other, session)) return 0
  const capture = captures.find(id)
  if (!capture) return 0
  const request = requestIn(capture)
  if (request !== null) {
    const body = objectIn(request)
    const { createdAt, userId, tokenId } = row
    const { format } = capture
    const call =
      body && unnamedCall({ requestId: id, createdAt, userId, tokenId, format, capture, body })
    if (call) index.recall(call, session?.slice(UNNAMED.length) ?? null)
  }
  return bodiesOfCapture(capture).reduce((sum, { length }) => sum + length, 0)
}

/** Null for what is no JSON object. */
function objectIn(bytes: Buffer): JsonFields | null {
  try {
    return new JsonFields(bytes)
  } catch {
    return null
  }
}
