import { z } from 'zod'
import { reasonTexts, subjectTexts } from '../../transfer/from/report/left-out-texts.ts'
import { TRANSFER_PARTS } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { ImportPlan } from './import-plan.ts'
import { importsOf } from './imports.ts'
import { detailOf, itemNotes } from './part/item-notes.ts'

/** zod wants at least one. */
const codesOf = <Code extends string>(texts: Readonly<Record<Code, string>>) =>
  Object.keys(texts) as [Code, ...Code[]]

/** An import as it is shown before it is applied. */
export const importPreview = z.strictObject({
  from: z.string(),
  preview_id: z.string(),
  items: z.array(
    z.strictObject({
      id: z.string(),
      part: z.enum(TRANSFER_PARTS),
      name: z.string(),
      state: z.enum(['new', 'changed', 'same', 'conflict']),
      detail: z.string().describe('Fields that differ, and what is left to do.'),
      fields: z.array(z.string()).describe('That differ; of a setting its new value.'),
      notes: z.array(z.strictObject({ code: z.enum(codesOf(itemNotes)), of: z.string() })),
    }),
  ),
  left_out: z.array(
    z.strictObject({
      name: z.string(),
      reason: z.string(),
      coded: z
        .strictObject({
          subject: z.enum(codesOf(subjectTexts)).nullable(),
          of: z.string(),
          reason: z.enum(codesOf(reasonTexts)),
          params: z.record(z.string(), z.string()),
        })
        .nullable()
        .describe('Name and reason by codes; null where the reason has none.'),
    }),
  ),
})

/** Keeps a plan for `transfer.apply`. */
export const keepPreview = (
  plan: ImportPlan,
  parts: GatewayParts,
): z.output<typeof importPreview> => ({
  from: plan.from,
  preview_id: importsOf(parts).keep(plan, parts),
  items: plan.items.map(({ part, name, state, fields, notes }, index) => ({
    id: String(index),
    ...{ part, name, state, fields, notes },
    detail: detailOf(fields, notes),
  })),
  left_out: plan.leftOut.map(({ name, reason, coded }) => ({ name, reason, coded: coded ?? null })),
})
