import { z } from 'zod'
import type { Reason } from '../../base/reason.ts'

export type { Reason, SentenceValues } from '../../base/reason.ts'

/** A sentence by code, with the values in it, for a console in another language. */
export const reasonOutput = z.looseObject({ code: z.string() }) as unknown as z.ZodType<Reason>

/** A sentence for a person, and the same by code. */
export const sentenceOutput = z.strictObject({ message: z.string(), reason: reasonOutput })
