import { z } from 'zod'
import { integer } from '../operation/input-fields.ts'

/** Names a session. */
export const sessionInput = z.object({
  id: z.string().min(1).max(200),
  user_id: integer
    .pipe(z.int().min(0))
    .optional()
    .describe(
      'For administrators, where several users have a session of this id; none = who used it last.',
    ),
})
