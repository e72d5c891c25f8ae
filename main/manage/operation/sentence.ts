import { z } from 'zod'
import type { Reason, Why } from '../../base/reason.ts'

export type { Reason, SentenceValues } from '../../base/reason.ts'

/** A sentence by code, with the values in it, for a console in another language. */
export const reasonOutput = z.looseObject({ code: z.string() }) as unknown as z.ZodType<Reason>

/** The part of a sentence, by code or in a vendor’s own words, beside it in English. */
export const whyOutput = z.unknown().meta({
  description: 'The same by code and values, for another language.',
}) as unknown as z.ZodType<Why>

/** A sentence for a person, and the same by code. */
export const sentenceOutput = z.strictObject({ message: z.string(), reason: reasonOutput })
