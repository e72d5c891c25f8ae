import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { MAX_QUOTA } from '../../base/quota.ts'
import { quotaText } from '../../base/quota-text.ts'
import type { Reason } from '../../base/reason.ts'

const integerText = z.string().regex(/^\s*-?\d{1,15}\s*$/, fieldProblems.field_whole_number)

/** An integer, also as the text that a query or a path carries. */
export const integer = z.union(
  [z.int(), integerText.transform(Number)],
  fieldProblems.field_whole_number,
)

/** The last second that a date can hold, https://tc39.es/ecma262/#sec-time-values-and-time-range */
export const LAST_TIME = 8_640_000_000_000

/** Unix seconds that can be shown as a date. */
export const unixTime = integer.refine((time) => time <= LAST_TIME, {
  message: `can be at most ${LAST_TIME}`,
  params: { reason: { code: 'field_too_large', most: LAST_TIME } satisfies Reason },
})

/** Quota units, at most as many as anybody can hold. */
export const quotaUnits = integer.refine((units) => units <= MAX_QUOTA, {
  message: `can be at most ${MAX_QUOTA}`,
  params: { reason: { code: 'field_too_large', most: quotaText(MAX_QUOTA) } satisfies Reason },
})

/** The id of a record. */
export const recordId = z.union(
  [
    z.int().min(1),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ],
  fieldProblems.field_record,
)

/** The ids of up to `most` records, each once. */
export const recordIds = (most: number) =>
  z
    .array(recordId, fieldProblems.field_records)
    .min(1, 'is empty: name at least one record')
    .max(most, `can name at most ${most} records`)
    .transform((ids) => [...new Set(ids)])

/** A boolean, also as the text that a query carries. */
export const flag = z.union(
  [
    z.boolean(),
    z.enum(['true', '1', 'false', '0', '']).transform((text) => text === 'true' || text === '1'),
  ],
  fieldProblems.field_boolean,
)

/** Text of a filter; none and empty are the same. */
export const filterText = z.string().max(500).trim().optional().default('')

/** An integer of a filter; none and empty are the same. */
export const filterInteger = z
  .union(
    [z.int(), integerText.transform(Number), z.literal('').transform(() => undefined)],
    fieldProblems.field_one_whole_number,
  )
  .optional()

const pageNumber = z.union([z.number(), z.string()], fieldProblems.field_one_number).optional()

/** The query of every paged list (management-api §1.2). */
export const pagingFields = {
  p: pageNumber.describe('The page, from 1.'),
  page_size: pageNumber.describe('Records a page: at most 100.'),
  ps: pageNumber.describe('The same as page_size.'),
  size: pageNumber.describe('The same as page_size.'),
}

export type PagingInput = { [Name in keyof typeof pagingFields]?: number | string | undefined }

/** One line of text without blanks around it. */
export const line = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `must have at most ${longest} characters`)
    .regex(/^[^\p{Cc}]*$/u, fieldProblems.field_one_line)
