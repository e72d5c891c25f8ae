import { z } from 'zod'
import { whyOutput } from '../../operation/sentence.ts'

/** Outcome of a check: of the first key that was refused, else of the first one. */
export const checkResult = z
  .strictObject({
    ok: z.boolean(),
    models: z
      .array(z.string())
      .nullable()
      .describe('What the vendor lists for this key; null where it gives no list.'),
    tested_model: z
      .string()
      .nullable()
      .describe('The model of the call; null where none was made.'),
    ms: z.int().describe('Milliseconds that the step took.'),
    status: z.int().nullable().describe('HTTP status of the vendor; null where no answer came.'),
    problem: z
      .string()
      .nullable()
      .describe(
        "The vendor's own sentence where it refused, else the gateway's; null if all is well.",
      ),
    why: whyOutput.nullable(),
    step: z.enum(['models', 'call']).describe('The step that `ms`, `status` and `problem` are of.'),
    keys: z.int().describe('Keys that were to be checked; 0 or 1 where there are not several.'),
    refused_key: z
      .strictObject({
        number: z.int().describe('From 1, in the order of the keys.'),
        preview: z.string(),
      })
      .nullable()
      .describe('The first of several keys that failed; null for a single one.'),
  })
  .meta({ id: 'ChannelCheck' })

export type CheckResult = z.output<typeof checkResult>
