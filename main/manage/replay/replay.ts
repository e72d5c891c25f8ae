import { draft } from './replay-draft.ts'
import { failures } from './replay-failures.ts'
import { check, send } from './replay-send.ts'

/** Captured calls, sent again. */
export const replayOperations = [send, check, draft, failures] as const
