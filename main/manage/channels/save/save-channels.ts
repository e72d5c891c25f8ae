import { GatewayError } from '../../../base/errors.ts'
import type { Sentence } from '../../../base/reason.ts'
import type { Channel } from '../../../store/records/channels.ts'
import { eventRow } from '../../calls/event-row.ts'
import { checkVerified } from '../../operation/access.ts'
import type { OperationContext } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import { keptSecrets } from '../secret-headers.ts'
import { type AddressChange, addressChange } from './address-change.ts'
import { checkReach } from './check-reach.ts'

/** A channel as it is, and what is to be different. */
export interface ChannelEdit {
  before: Channel
  fields: Partial<Channel>
}

/** Input for the channels: a key that replaces theirs, and a header override as it was sent. */
export interface ChannelEntry {
  key: boolean
  headers: Readonly<Record<string, string>> | undefined
  /** Several channels are changed alike, so that there is no field for the key of each. */
  isForMany: boolean
}

/** The first field whose stored secret would go along to the new address; null where there is none. */
function secretAtRisk({ before }: ChannelEdit, entered: ChannelEntry) {
  if ((before.key !== '' || before.keyUnreadable) && !entered.key) return 'key'
  return keptSecrets(before.headerOverride, entered.headers).length > 0 ? 'header_override' : null
}

const wanted = {
  key: 'Enter the key again in "key"',
  header_override: 'Enter the secret values of "header_override" again',
} as const

/** Throws unless the secrets of a channel were entered again, or the owner has shown lately that it is them. */
function checkSecrets(
  edit: ChannelEdit,
  { fields }: AddressChange,
  entered: ChannelEntry,
  context: OperationContext,
): void {
  const secret = secretAtRisk(edit, entered)
  if (!secret) return
  const { name } = edit.before
  const what = `This changes where the key of "${name}" is sent (${fields.join(', ')}).`
  if (signedIn(context).role < 100) {
    if (entered.isForMany) {
      throw new GatewayError('forbidden', {
        message: `${what} Only the owner may do that for a whole tag. Change each channel and enter its key again.`,
        field: 'header_override',
        reason: { code: 'key_moves_owner_only', channel: name, fields: fields.join(', ') },
      })
    }
    throw new GatewayError('invalid_params', {
      message: `${what} ${wanted[secret]}.`,
      field: secret,
      reason: {
        code: secret === 'key' ? 'key_moves_enter_key' : 'key_moves_enter_headers',
        channel: name,
        fields: fields.join(', '),
      },
    })
  }
  try {
    checkVerified(context)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const confirm = 'onfirm in the console with your password or a code.'
    throw new GatewayError(error.code, {
      message: `${what} ${entered.isForMany ? 'C' : `${wanted[secret]}, or c`}${confirm}`,
      field: entered.isForMany ? 'header_override' : secret,
      cause: error,
      reason: {
        code: entered.isForMany
          ? 'key_moves_confirm'
          : secret === 'key'
            ? 'key_moves_key_or_confirm'
            : 'key_moves_headers_or_confirm',
        channel: name,
        fields: fields.join(', '),
      },
    })
  }
}

/** The row of the log for a channel whose key goes elsewhere from now on. */
function rowOf(
  { before }: ChannelEdit,
  { fields, origins }: AddressChange,
  entered: ChannelEntry,
  context: OperationContext,
) {
  const { requestId, ip } = context
  const { id, name } = before
  const user = signedIn(context)
  const moved =
    origins.before.join() === origins.after.join()
      ? ''
      : `: ${origins.before.join(', ')} before, ${origins.after.join(', ')} now`
  const again = entered.key ? ' and entered the key again' : ''
  const content: Sentence = {
    message: `${user.username} changed where the key of channel "${name}" (${id}) is sent (${fields.join(', ')})${again}${moved}`,
    reason: {
      code: 'audit_key_sent_elsewhere',
      ...{ user: user.username, channel: name, id, fields: fields.join(', ') },
    },
  }
  const row = eventRow(3, user, content, { requestId, ip, other: { channel_id: id, fields } })
  return { ...row, channelId: id, channelName: name }
}

/**
 * Keeps changes of channels, all or none. A key stays with the address that it was given for: where a change
 * leads it elsewhere, it has to be entered again, or the owner to be verified, and that is logged. Throws
 * `invalid_params`, `forbidden` or `VERIFICATION_…` where it may not be.
 */
export function saveChannels(
  edits: readonly ChannelEdit[],
  entered: ChannelEntry,
  context: OperationContext,
): void {
  const { channels, ledger } = context.parts
  const isOwner = signedIn(context).role === 100
  const rows: ReturnType<typeof rowOf>[] = []
  const changes = edits.map((edit) => {
    const { before, fields } = edit
    const after = { ...before, ...fields }
    const change = addressChange(before, after)
    if (!change) return { id: before.id, fields }
    checkReach(after, context, before)
    const hasSecret = secretAtRisk(edit, { ...entered, key: false, headers: undefined }) !== null
    checkSecrets(edit, change, entered, context)
    if (hasSecret) rows.push(rowOf(edit, change, entered, context))
    return {
      id: before.id,
      fields: change.isElsewhere ? { ...fields, publicOnly: !isOwner } : fields,
    }
  })
  if (rows.length === 0) channels.updateMany(changes)
  else {
    ledger.transact((transaction) => {
      for (const row of rows) transaction.book(row)
      channels.updateMany(changes)
    })
  }
}
