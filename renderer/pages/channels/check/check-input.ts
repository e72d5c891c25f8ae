import type { OperationInput } from '../../../../preload/contract.ts'
import type { ChannelRecord } from '../../../gateway/records.ts'
import { type ChannelDraft, changesOfDraft, fieldsOfDraft } from '../form/channel-draft.ts'

type CheckInput = OperationInput<'channel.check'>

/** A draft as the gateway checks it; `read` is the stored channel that the draft was made of. */
export function checkInput(draft: ChannelDraft, read: ChannelRecord | undefined): CheckInput {
  if (!read) return fieldsOfDraft(draft)
  const changes = changesOfDraft(draft, read, read)
  const { key_mode: _mode, multi_key_mode: _rotation, ...fields } = changes
  return { ...fields, id: read.id }
}

/** Tells drafts apart that a check could answer differently; models may be chosen after it. */
export function checkedPart(draft: ChannelDraft): string {
  const { type, key, baseUrl, mapping, testModel, endpointTypes, organization, other } = draft
  const { paramOverride, headerOverride, proxy, limits, preset } = draft
  return JSON.stringify([
    ...[type, key, baseUrl, mapping, testModel, endpointTypes, organization, other],
    ...[paramOverride, headerOverride, proxy, limits, preset],
  ])
}
