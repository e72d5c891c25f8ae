import { GatewayError } from '../../../base/errors.ts'
import type { Reason } from '../../../base/reason.ts'
import { enabledKeys, firstKey, keyLines } from '../../../relay/channel/channel-keys.ts'
import { blankChannel, type Channel } from '../../../store/records/channels.ts'
import type { OperationContext } from '../../operation/operation.ts'
import { signedIn } from '../../operation/signed-in.ts'
import type { ChannelInput } from '../channel-fields.ts'
import { checkAccount, toChannelFields } from '../channel-write.ts'
import { existingChannel } from '../existing-channel.ts'
import { addressChange } from '../save/address-change.ts'
import { checkReach } from '../save/check-reach.ts'
import { requireReadableKey } from '../save/unreadable-key.ts'
import { keptSecrets } from '../secret-headers.ts'

/** A channel as the form has it: a new one, or what is to be different about a stored one. */
export type CheckedInput = ChannelInput & { id?: number | undefined }

const refuse = (field: string, message: string, reason: Reason): GatewayError =>
  new GatewayError('invalid_params', { message, field, reason })

/** Stored secrets go to the stored address only, whoever asks: a check needs no proof, and saves nothing. */
function checkSecrets(before: Channel, after: Channel, input: CheckedInput): void {
  const change = addressChange(before, after)
  if (!change) return
  const what = `The stored key of "${before.name}" is only sent to the stored address, and this changes where it goes (${change.fields.join(', ')}).`
  if ((before.key !== '' || before.keyUnreadable) && !input.key) {
    throw refuse('key', `${what} Enter the key again to check.`, {
      code: 'check_needs_key',
      channel: before.name,
      fields: change.fields.join(', '),
    })
  }
  if (keptSecrets(before.headerOverride, input.header_override).length > 0) {
    throw refuse('header_override', `${what} Enter the secret header values again to check.`, {
      code: 'check_needs_headers',
      channel: before.name,
      fields: change.fields.join(', '),
    })
  }
}

function changed(before: Channel, input: CheckedInput, context: OperationContext): Channel {
  const fields = toChannelFields(input, context.parts, before)
  const key = input.key || before.key
  const after: Channel = { ...before, ...fields, key }
  checkSecrets(before, after, input)
  checkReach(after, context, before)
  if (!input.key) requireReadableKey(before, { remedy: 'Enter it again.', field: 'key' })
  const isElsewhere = addressChange(before, after)?.isElsewhere === true
  const isOwner = signedIn(context).role === 100
  return { ...after, publicOnly: isElsewhere ? !isOwner : before.publicOnly }
}

function fresh(input: CheckedInput, context: OperationContext): Channel {
  const { type } = input
  if (type === undefined)
    throw refuse('type', 'The field "type" is missing. Choose a channel type.', {
      code: 'field_missing',
    })
  const fields = toChannelFields(input, context.parts)
  const channel: Channel = {
    ...blankChannel,
    id: 0,
    name: '',
    keyUnreadable: false,
    isLocked: false,
    createdTime: 0,
    publicOnly: false,
    ...fields,
    type,
    key: input.key ?? '',
    autoBan: 0,
  }
  checkReach(channel, context)
  return { ...channel, publicOnly: signedIn(context).role < 100 }
}

/** A channel that is not stored, and the keys to check it with. */
export interface CheckedChannel {
  channel: Channel
  /** Empty where it needs none. */
  keys: string[]
}

/**
 * The channel of a form with its keys, enabled and not stored. Throws `invalid_params` where no vendor could be
 * asked, or a stored secret would go elsewhere, and `forbidden` for an address that only the owner may enter.
 */
export function checkedChannel(input: CheckedInput, context: OperationContext): CheckedChannel {
  const stored = input.id === undefined ? null : existingChannel(input.id, context.parts)
  const channel = stored ? changed(stored, input, context) : fresh(input, context)
  const isStored = stored !== null && !input.key
  // A stored channel's other keys have their circuits to tell of them.
  const only = isStored ? (enabledKeys(stored)[0] ?? firstKey(stored)).text : ''
  const keys = isStored ? keyLines(only) : keyLines(channel.key)
  const checked: Channel = {
    ...channel,
    name: channel.name || 'New channel',
    ...{
      key: keys[0] ?? '',
      keyUnreadable: false,
      isLocked: false,
      status: 1,
      multiKeyMode: null,
      keyStates: [],
    },
  }
  checkAccount(checked)
  return { channel: checked, keys }
}
