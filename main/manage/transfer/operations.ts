import { z } from 'zod'
import { listNames } from '../../store/state/last-import.ts'
import { TRANSFER_PARTS } from '../../transfer/transfer.ts'
import { defineOperation } from '../operation/operation.ts'
import { exportOperations } from './export.ts'
import { importPreview, keepPreview } from './import-preview.ts'
import { type AppliedPart, importsOf } from './imports.ts'
import { linkOperations } from './link.ts'
import { noteTransfer } from './note-transfer.ts'
import { planSource } from './plan-source.ts'

/** Bytes: thousands of channels and tokens. */
const LARGEST_FILE = 32 * 1024 * 1024

const partName = z.enum(TRANSFER_PARTS)

const sumOf = (
  applied: readonly Pick<AppliedPart, 'added' | 'changed'>[],
  field: 'added' | 'changed',
): number => applied.reduce((total, part) => total + part[field], 0)

const preview = defineOperation({
  name: 'transfer.preview',
  summary:
    'Reads a file, a database or a running gateway and compares it with what is here; changes nothing. Kept for 15 minutes.',
  access: 'root',
  proof: 'session',
  limit: 'critical',
  http: { method: 'POST', path: '/api/transfer/preview' },
  bodyLimit: LARGEST_FILE,
  input: z.strictObject({
    text: z.string().optional().describe('A file; not with `address`.'),
    from: z.string().max(50).optional().describe('The format; detected when it is left out.'),
    filename: z.string().max(255).optional(),
    passphrase: z.string().max(1000).optional(),
    path: z
      .string()
      .max(4096)
      .optional()
      .describe("Of cc-switch's or Claude Code Router's database; from this machine only."),
    address: z.string().max(2000).optional().describe('Of a running `new-api` or `one-api`.'),
    access_token: z.string().max(2000).optional(),
    user_id: z.int().min(0).optional().describe('`new-api` wants it beside the access token.'),
  }),
  output: importPreview,
  run: async (input, context) => keepPreview(await planSource(input, context), context.parts),
})

const apply = defineOperation({
  name: 'transfer.apply',
  summary: 'Imports the chosen items of a preview, all or none. Needs a verified session.',
  access: 'root',
  verified: true,
  http: { method: 'POST', path: '/api/transfer/apply' },
  bodyLimit: 4 * 1024 * 1024,
  input: z.strictObject({
    preview_id: z.string().max(100),
    items: z.array(z.string()).min(1, 'must name at least one item').describe('Their ids.'),
    conflicts: z
      .record(z.string(), z.enum(['keep', 'replace', 'both']))
      .optional()
      .describe('By the id of an item in conflict; `keep` where nothing is said.'),
  }),
  output: z.strictObject({
    applied: z.array(z.strictObject({ part: partName, added: z.int(), changed: z.int() })),
    undo_id: z.string(),
  }),
  async run(input, context) {
    const { parts } = context
    const { from, ...result } = importsOf(parts).apply(
      input.preview_id,
      input.items,
      input.conflicts ?? {},
      parts,
    )
    const { applied } = result
    const [added, changed] = [sumOf(applied, 'added'), sumOf(applied, 'changed')]
    const names = applied.map(({ part }) => part).join(', ')
    await noteTransfer(
      {
        message: `Imported from ${from}: ${added} added, ${changed} changed (${names || 'nothing'}).`,
        reason: { code: 'audit_imported', from, added, changed, parts: names || '–' },
      },
      context,
    )
    return result
  },
})

const undo = defineOperation({
  name: 'transfer.undo',
  summary: 'Takes the latest import back, unless something was changed since.',
  access: 'root',
  proof: 'session',
  http: { method: 'POST', path: '/api/transfer/undo' },
  input: z.strictObject({ undo_id: z.string().max(100) }),
  output: z.undefined(),
  async run({ undo_id }, context) {
    const { parts } = context
    const from = importsOf(parts).undo(undo_id, parts)
    await noteTransfer(
      {
        message: `Undid the import from ${from}.`,
        reason: { code: 'audit_import_undone', from },
      },
      context,
    )
  },
})

const last = defineOperation({
  name: 'transfer.last',
  summary: 'The latest import, and whether it can still be undone; null where there is none.',
  access: 'root',
  proof: 'session',
  http: { method: 'GET', path: '/api/transfer/last' },
  input: z.object({}),
  output: z
    .strictObject({
      undo_id: z.string(),
      at: z.int().describe('Unix seconds.'),
      from: z.string().describe('The format.'),
      added: z.int(),
      changed: z.int(),
      blocked: z
        .enum([...listNames, 'codes'])
        .nullable()
        .describe('What was changed since, so that it can’t be undone; null where it can.'),
    })
    .nullable(),
  run(_input, { parts }) {
    const found = importsOf(parts).last(parts)
    if (!found) return null
    const { id, at, from, applied } = found.last
    return {
      ...{ undo_id: id, at, from, blocked: found.changed },
      ...{ added: sumOf(applied, 'added'), changed: sumOf(applied, 'changed') },
    }
  },
})

export const transferOperations = [
  ...exportOperations,
  preview,
  apply,
  undo,
  last,
  ...linkOperations,
] as const
