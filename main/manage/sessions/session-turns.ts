import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reason } from '../../base/reason.ts'
import { cutText } from '../../inspect/body/cut-text.ts'
import { readConversation } from '../../inspect/reading/read-conversation.ts'
import type { ReadingPart } from '../../inspect/reading/reading-part.ts'
import { type CallReading, newParts } from '../../inspect/sessions/new-parts.ts'
import { lineKey, lineOf, type SessionLine } from '../../inspect/sessions/session-lines.ts'
import type { StoredCall } from '../../store/ledger/ledger.ts'
import type { OperationContext } from '../operation/operation.ts'
import { toSessionCall } from './session-rows.ts'
import { readableCapture, toolsOfCalls } from './session-texts.ts'

/** Characters of a part that are shown; the call itself shows all. */
const PART_CHARACTERS = 20_000
/** Characters of all texts of a session together. */
const SESSION_CHARACTERS = 4_000_000

export interface SessionTurn {
  row: StoredCall
  line: SessionLine
  /** Said since the call before it in its line; null where the call was not captured. */
  input: ReadingPart[] | null
  output: ReadingPart[] | null
  /** Why a side is missing. */
  problem: string | null
  /** The problem by code, where it is one of the gateway's own sentences. */
  reason: Reason | null
}

const shownPart = (part: ReadingPart): ReadingPart => ({
  ...part,
  text: part.text.startsWith('data:') ? '' : cutText(part.text, PART_CHARACTERS),
})

/** Which agent made each call, by what the calls themselves say and by their tools. */
export function linesOf(rows: readonly StoredCall[], context: OperationContext): SessionLine[] {
  const ids = rows.map(({ requestId }) => requestId)
  const tools = toolsOfCalls(ids, context)
  const isWithTools = tools.includes(true)
  return rows.map((row, index) => lineOf(toSessionCall(row), tools[index], isWithTools))
}

/** A session's calls with what each of them adds to the conversation. */
export async function readTurns(
  rows: readonly StoredCall[],
  context: OperationContext,
): Promise<SessionTurn[]> {
  const lines = linesOf(rows, context)
  const last = new Map<string, CallReading>()
  const turns: SessionTurn[] = []
  let characters = 0
  for (const [index, row] of rows.entries()) {
    const line = lines[index] as SessionLine
    const none = { row, line, input: null, output: null }
    const capture = readableCapture(row.requestId, context)
    if (!capture || characters > SESSION_CHARACTERS) {
      turns.push({
        ...none,
        problem: capture ? 'The session is too long to show all of it here.' : null,
        reason: capture ? { code: 'session_too_long' } : null,
      })
      continue
    }
    const reading = readConversation(capture)
    const key = lineKey(line)
    const input = newParts(last.get(key) ?? null, reading)
    // One that could not be read says nothing of the next one's beginning.
    if (reading.input.length > 0) last.set(key, reading)
    const turn = {
      ...{ row, line, problem: reading.problem, reason: reading.reason },
      input: input.map(shownPart),
      output: reading.output.map(shownPart),
    }
    for (const { text } of [...turn.input, ...turn.output]) characters += text.length
    turns.push(turn)
    await nextTurn()
  }
  return turns
}
