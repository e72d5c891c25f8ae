import { useState } from 'react'
import type { OperationInput } from '../../../../preload/contract.ts'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelCheck, ChannelRecord } from '../../../gateway/records.ts'
import { type ChannelDraft, changesOfDraft, fieldsOfDraft } from '../form/channel-draft.ts'

type CheckInput = OperationInput<'channel.check'>

/** A draft as the gateway checks it; `read` is the stored channel that the draft was made of. */
function checkInput(draft: ChannelDraft, read: ChannelRecord | undefined): CheckInput {
  if (!read) return fieldsOfDraft(draft)
  const changes = changesOfDraft(draft, read, read)
  const { key_mode: _mode, multi_key_mode: _rotation, ...fields } = changes
  return { ...fields, id: read.id }
}

/** Tells drafts apart that a check could answer differently; models may be chosen after it. */
function checkedPart(draft: ChannelDraft): string {
  const { type, key, baseUrl, mapping, testModel, endpointTypes, organization, other } = draft
  const { paramOverride, headerOverride, proxy, limits, preset } = draft
  return JSON.stringify([
    ...[type, key, baseUrl, mapping, testModel, endpointTypes, organization, other],
    ...[paramOverride, headerOverride, proxy, limits, preset],
  ])
}

/** Checks the draft of a form. A result is shown until what it is about is edited. */
export function useChannelCheck(draft: ChannelDraft, read: ChannelRecord | undefined) {
  const action = useAction('channel.check')
  const [last, setLast] = useState<{ of: string; result: ChannelCheck } | null>(null)
  const part = checkedPart(draft)
  return {
    ...action,
    result: last?.of === part ? last.result : null,
    async run(): Promise<ChannelCheck | null> {
      setLast(null)
      const reply = await action.run(checkInput(draft, read))
      if (reply) setLast({ of: part, result: reply.data })
      return reply?.data ?? null
    },
  }
}
