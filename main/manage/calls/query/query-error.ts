import { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { FailedReply } from '../../operation/operation.ts'

/** The term at fault, as a failure’s `data`: a query bar marks it. */
export const wrongTerm = z.strictObject({
  place: z.int().describe('Of its first character in the query, from 1.'),
  length: z.int().describe('Characters.'),
})

/** Says which term of a query is wrong, where, and why. */
export const queryError = (
  { text, place }: { text: string; place: number },
  why: string,
  reason: Reason,
): GatewayError =>
  new FailedReply(
    new GatewayError('invalid_params', {
      message: `The query’s term ${text} (character ${place}) can’t be read: ${why}.`,
      field: 'q',
      reason: { code: 'query_term_unreadable', term: text, place, why: reason },
    }),
    { data: { place, length: text.length } satisfies z.infer<typeof wrongTerm> },
  )
