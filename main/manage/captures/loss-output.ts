import { z } from 'zod'
import type { LossEntry } from '../../convert/loss.ts'
import { reasonOutput } from '../operation/sentence.ts'

const lossKind = z.enum(['dropped', 'approximated'])

/** Why a conversion left something out, or put it into other words. */
export const lossNoteOutput = z.strictObject({
  kind: lossKind,
  note: z.string(),
  reason: reasonOutput.optional().describe('The note by code and values; older calls have none.'),
})

export const lossOutput = lossNoteOutput.extend({ path: z.string() })

export const lossNoteView = ({
  kind,
  note,
  reason,
}: LossEntry): z.infer<typeof lossNoteOutput> => ({
  kind,
  note,
  ...(reason && { reason: reason as z.infer<typeof reasonOutput> }),
})

export const lossView = (loss: LossEntry): z.infer<typeof lossOutput> => ({
  path: loss.path,
  ...lossNoteView(loss),
})
