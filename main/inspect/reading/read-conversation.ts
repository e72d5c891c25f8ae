import type { Reason, Sentence } from '../../base/reason.ts'
import type { Capture } from '../../capture/capture.ts'
import { isCutBody, readBody } from '../body/body-content.ts'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'
import type { ReadingPart } from './reading-part.ts'

/** A call as a person reads it. */
export interface Conversation {
  input: ReadingPart[]
  output: ReadingPart[]
  /** Why a side is missing; null where both could be read. */
  problem: string | null
  /** The problem by code, where it is one of the gateway's own sentences. */
  reason: Reason | null
}

interface Side {
  parts: ReadingPart[]
  problem: string | null
}

function read(run: () => ReadingPart[]): Side {
  try {
    return { parts: run(), problem: null }
  } catch (error) {
    return { parts: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

/** The client's side of a call: what it asked, and what it got. */
export function readConversation({ client, format }: Capture): Conversation {
  const { request, answer } = client
  const input = read(() => readRequest(request, format))
  const output = read(() => readAnswer(answer, format))
  const { kind } = readBody(request.body)
  const unread: Sentence | null =
    kind !== 'json' && kind !== 'empty'
      ? { message: 'The request’s body isn’t JSON.', reason: { code: 'reading_no_json' } }
      : isCutBody(request.body)
        ? {
            message: 'The request’s body was cut at the cap, so its conversation can’t be read.',
            reason: { code: 'reading_cut' },
          }
        : null
  return {
    input: input.parts,
    output: output.parts,
    problem: unread?.message ?? input.problem ?? output.problem,
    reason: unread?.reason ?? null,
  }
}
