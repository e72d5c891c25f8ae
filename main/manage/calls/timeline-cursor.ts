import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { openPlace } from '../operation/list-place.ts'

const place = z.strictObject({ time: z.number(), id: z.number() })
const callPlace = place.extend({ value: z.number() })

const sorts = ['time', 'duration', 'cost', 'input', 'output', 'first_token'] as const

const cursorFields = z.strictObject({
  sort: z.enum(sorts),
  order: z.enum(['asc', 'desc']),
  /** Where each source goes on; null = from its beginning. */
  calls: z.union([callPlace, z.literal('end')]).nullable(),
  refused: z.union([place, z.literal('end')]).nullable(),
  /** The newest rows when the first page was read. */
  since: z.strictObject({ calls: place, refused: place.nullable() }),
})

export type TimelineCursor = z.infer<typeof cursorFields>

export const timelineSorts = sorts

/** Throws `invalid_params` for a text that is no cursor. */
export function readCursor(
  text: string,
  field: 'cursor' | 'since',
  parts: Pick<GatewayParts, 'sessionSecrets'>,
): TimelineCursor {
  const read = cursorFields.safeParse(openPlace(text, parts))
  if (read.success) return read.data
  throw new GatewayError('invalid_params', {
    message: `The field "${field}" must be a cursor that an earlier page gave.`,
    field,
    reason: { code: 'list_place_lost' },
  })
}
