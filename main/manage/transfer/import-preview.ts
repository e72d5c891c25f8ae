import { z } from 'zod'
import { reasonTexts, subjectTexts } from '../../transfer/from/report/left-out-texts.ts'
import { TRANSFER_PARTS } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { reasonOutput } from '../operation/sentence.ts'
import { type ImportPlan, OWN_FORMAT } from './import-plan.ts'
import { importsOf } from './imports.ts'
import { detailOf, itemNotes } from './part/item-notes.ts'
import type { PlannedItem } from './part/plan.ts'

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
      ticked: z
        .boolean()
        .describe(
          'Whether to import it unless told otherwise: not what changes a record by a foreign file, and not settings that open the gateway.',
        ),
      detail: z.string().describe('Changes and notes in one line.'),
      changes: z
        .array(z.strictObject({ field: z.string(), from: z.string(), to: z.string() }))
        .describe('Of an entry that is here already, without secrets.'),
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
      refused: z
        .strictObject({
          part: z.enum(TRANSFER_PARTS),
          name: z.string(),
          field: z.string().nullable(),
          reason: reasonOutput,
        })
        .nullable()
        .describe(
          'Of an entry that can’t be used: why, by code; null for other parts of the file.',
        ),
    }),
  ),
})

/** Nothing is changed unasked by what another program or a link says. */
function isTicked({ state, notes }: Pick<PlannedItem, 'state' | 'notes'>, from: string): boolean {
  if (notes.some(({ code }) => code === 'opens_gateway')) return false
  return state === 'new' || (state === 'changed' && from === OWN_FORMAT)
}

/** Keeps a plan for `transfer.apply`. */
export const keepPreview = (
  plan: ImportPlan,
  parts: GatewayParts,
): z.output<typeof importPreview> => ({
  from: plan.from,
  preview_id: importsOf(parts).keep(plan, parts),
  items: plan.items.map(({ part, name, state, changes, notes }, index) => ({
    id: String(index),
    ticked: isTicked({ state, notes }, plan.from),
    ...{ part, name, state, changes, notes },
    detail: detailOf(changes, notes),
  })),
  left_out: plan.leftOut.map(({ coded = null, refused = null, ...row }) => ({
    ...row,
    coded,
    refused,
  })),
})
