import { useState } from 'react'
import { useAction } from '../../../gateway/queries.ts'
import type { ChannelCheck, ChannelRecord } from '../../../gateway/records.ts'
import type { ChannelDraft } from '../form/channel-draft.ts'
import { checkedPart, checkInput } from './check-input.ts'

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
