import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { writeExport } from '../../transfer/export-file.ts'
import { TRANSFER_PARTS, type Transfer, type TransferPart } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { checkVerified } from '../operation/access.ts'
import { defineOperation } from '../operation/operation.ts'
import { importPreview, keepPreview } from './import-preview.ts'
import { importsOf } from './imports.ts'
import { linkOperations } from './link.ts'
import { toChannelDraft } from './part/channel-part.ts'
import { toCodeDrafts } from './part/code-part.ts'
import { toGroupDrafts } from './part/group-part.ts'
import { toPriceDrafts } from './part/price-part.ts'
import { toSettingDrafts } from './part/setting-part.ts'
import { toTokenDraft } from './part/token-part.ts'
import { toUserDraft } from './part/user-part.ts'
import { planSource } from './plan-source.ts'

/** Bytes: thousands of channels and tokens. */
const LARGEST_FILE = 32 * 1024 * 1024

const partName = z.enum(TRANSFER_PARTS)

/** How to read each part from the state. */
const readers: {
  [Part in TransferPart]: (parts: GatewayParts, hasSecrets: boolean) => Transfer[Part]
} = {
  channels: ({ channels }, has) => channels.all().map((one) => toChannelDraft(one, has)),
  tokens: (parts, has) => parts.tokens.all().map((one) => toTokenDraft(one, parts, has)),
  prices: toPriceDrafts,
  settings: toSettingDrafts,
  groups: toGroupDrafts,
  users: ({ users }, has) =>
    users
      .all()
      .filter(({ role }) => role < 100)
      .map((one) => toUserDraft(one, has)),
  codes: toCodeDrafts,
}

const passphrase = z
  .string()
  .min(8, 'must have at least 8 characters')
  .max(1000, 'can have at most 1000 characters')

const write = defineOperation({
  name: 'transfer.export',
  summary:
    'Gives the chosen parts as the text of one file: without secrets, or with them, sealed under a passphrase (which needs a verified session).',
  access: 'root',
  proof: 'session',
  http: { method: 'POST', path: '/api/transfer/export' },
  input: z.strictObject({
    parts: z.array(partName).min(1, 'must name at least one part').max(TRANSFER_PARTS.length),
    passphrase: passphrase.optional(),
  }),
  output: z.strictObject({ name: z.string().describe('For the file.'), text: z.string() }),
  async run(input, context) {
    const { parts } = context
    const hasSecrets = input.passphrase !== undefined
    if (hasSecrets) checkVerified(context)
    else if (input.parts.includes('codes')) {
      throw new GatewayError('invalid_params', {
        message: 'Redemption codes are worth money and are exported under a passphrase only.',
        field: 'passphrase',
        reason: { code: 'codes_need_passphrase' },
      })
    }
    const chosen = TRANSFER_PARTS.filter((part) => input.parts.includes(part))
    const transfer: Partial<Transfer> = Object.fromEntries(
      chosen.map((part) => [part, readers[part](parts, hasSecrets)]),
    )
    const now = new Date()
    const text = await writeExport({
      transfer,
      passphrase: input.passphrase,
      parts: chosen,
      switchyard: parts.version,
      now,
    })
    return { name: `switchyard-${now.toISOString().slice(0, 10)}.json`, text }
  },
})

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
  run(input, { parts }) {
    const result = importsOf(parts).apply(
      input.preview_id,
      input.items,
      input.conflicts ?? {},
      parts,
    )
    parts.events.emit('server')
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
  run({ undo_id }, { parts }): undefined {
    importsOf(parts).undo(undo_id, parts)
    parts.events.emit('server')
  },
})

export const transferOperations = [write, preview, apply, undo, ...linkOperations] as const
