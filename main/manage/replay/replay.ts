import { draft } from './replay-draft.ts'
import { failures } from './replay-failures.ts'
import { send } from './replay-send.ts'

/** Captured calls, sent again. */
export const replayOperations = [send, draft, failures] as const
