import type { Capture } from '../../capture/capture.ts'
import type { JsonFields } from '../../convert/json/json-fields.ts'
import { asString } from '../../convert/json/json-value.ts'
import { bytesOf } from '../../inspect/body/body-content.ts'
import type { UnnamedCall } from '../../inspect/sessions/conversation-index.ts'

/** Prefix of the ids of sessions that no client named; the request id of the first call follows. */
export const UNNAMED = 'calls:'

/** Characters of an answer in which its id is looked for. */
const ANSWER_ID_WITHIN = 4096

const conversations = ['messages', 'input', 'contents'] as const

interface Facts {
  requestId: string
  createdAt: number
  userId: number
  tokenId: number
  format: string
  body: Pick<JsonFields, 'get'>
  /** Only captures have the answer. */
  capture: Pick<Capture, 'client'> | null
}

/** A call as far as it can belong to a session that no client named. */
export function unnamedCall(facts: Facts): UnnamedCall {
  const { requestId, createdAt, userId, tokenId, body } = facts
  return {
    ...{ requestId, createdAt, owner: `${userId} ${tokenId}` },
    ...{ turns: turnsOf(body), answerId: answerIdOf(facts) },
    previousId: asString(body.get('previous_response_id')) ?? null,
  }
}

function turnsOf(body: Facts['body']): readonly unknown[] {
  for (const field of conversations) {
    const turns = body.get(field)
    if (Array.isArray(turns)) return turns
  }
  return []
}

function answerIdOf({ format, capture }: Facts): string | null {
  const answer = capture?.client.answer
  if (format !== 'responses' || !answer) return null
  const beginning = bytesOf(answer.body).toString('latin1', 0, ANSWER_ID_WITHIN)
  return /"id"\s*:\s*"(resp_[^"]+)"/.exec(beginning)?.[1] ?? null
}
