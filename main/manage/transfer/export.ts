import { z } from 'zod'
import { GatewayError } from '../../base/errors.ts'
import { keychainLocked } from '../../base/keychain-locked.ts'
import { isSecretSetting } from '../../store/state/settings.ts'
import { writeExport } from '../../transfer/export-file.ts'
import { TRANSFER_PARTS, type Transfer, type TransferPart } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { checkVerified } from '../operation/access.ts'
import { defineOperation } from '../operation/operation.ts'
import { noteTransfer } from './note-transfer.ts'
import { toChannelDraft, toPlainChannelDraft } from './part/channel-draft.ts'
import { toCodeDrafts } from './part/code-part.ts'
import { toGroupDrafts } from './part/group-part.ts'
import { toPriceDrafts } from './part/price-part.ts'
import { toRouteDraft } from './part/route-part.ts'
import { toSettingDrafts } from './part/setting-part.ts'
import { toTokenDraft } from './part/token-part.ts'
import { toUserDraft } from './part/user-part.ts'

const partName = z.enum(TRANSFER_PARTS)

const leftOut = z.strictObject({
  part: partName,
  name: z.string().describe('Of the channel, token or setting.'),
  field: z.string().describe("Such as `header_override.X-Key`; '' for the whole."),
  reason: z
    .enum(['secret', 'unreadable'])
    .describe('It may be secret, and there is no passphrase; or it can’t be read here any more.'),
})
type LeftOutField = z.output<typeof leftOut>

/** How to read each part from the state. */
const readers: {
  [Part in TransferPart]: (parts: GatewayParts, hasSecrets: boolean) => Transfer[Part]
} = {
  channels: ({ channels }, has) =>
    channels.all().map((one) => (has ? toChannelDraft(one) : toPlainChannelDraft(one).draft)),
  tokens: (parts, has) => parts.tokens.all().map((one) => toTokenDraft(one, parts, has)),
  routes: (parts) => parts.routes.all().map((one) => toRouteDraft(one, parts)),
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

/** Secrets that a file without them lacks, besides the keys of channels and tokens and the passwords of users. */
const secretsOf = ({ channels, state }: GatewayParts): LeftOutField[] => [
  ...channels.all().flatMap((channel) =>
    toPlainChannelDraft(channel).fields.map(
      (field): LeftOutField => ({
        part: 'channels',
        name: channel.name,
        field,
        reason: 'secret',
      }),
    ),
  ),
  ...Object.keys(state.data.settings)
    .filter(isSecretSetting)
    .map((name): LeftOutField => ({ part: 'settings', name, field: '', reason: 'secret' })),
]

/** Keys that were sealed under another key, and so are in no file. */
const unreadable = ({ channels, tokens }: GatewayParts): LeftOutField[] => [
  ...channels
    .all()
    .filter(({ keyUnreadable }) => keyUnreadable)
    .map(
      ({ name }): LeftOutField => ({ part: 'channels', name, field: 'key', reason: 'unreadable' }),
    ),
  ...tokens
    .all()
    .filter(({ key }) => key === '')
    .map(
      ({ name }): LeftOutField => ({ part: 'tokens', name, field: 'key', reason: 'unreadable' }),
    ),
]

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
  output: z.strictObject({
    name: z.string().describe('For the file.'),
    text: z.string(),
    left_out: z
      .array(leftOut)
      .describe(
        'Beside the keys of channels and tokens and the passwords of users, which a file without a passphrase never has.',
      ),
  }),
  async run(input, context) {
    const { parts } = context
    const hasSecrets = input.passphrase !== undefined
    if (hasSecrets) {
      checkVerified(context)
      // A file that promises keys and has none would be noticed when it is needed.
      if (parts.secretKey.current === null) throw keychainLocked()
    } else if (input.parts.includes('codes')) {
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
    if (hasSecrets) {
      const names = chosen.join(', ')
      await noteTransfer(
        {
          message: `Exported with their secrets: ${names}.`,
          reason: { code: 'audit_exported', parts: names },
        },
        context,
      )
    }
    const missing = hasSecrets ? unreadable(parts) : secretsOf(parts)
    return {
      name: `switchyard-${now.toISOString().slice(0, 10)}.json`,
      text,
      left_out: missing.filter(({ part }) => chosen.includes(part)),
    }
  },
})

export const exportOperations = [write] as const
