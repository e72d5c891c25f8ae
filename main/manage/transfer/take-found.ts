import type { ChannelDraft } from '../../transfer/transfer.ts'
import { channelOperations } from '../channels/channels.ts'
import type { CheckResult } from '../channels/check/check-result.ts'
import { checkedChannel } from '../channels/check/checked-channel.ts'
import { runCheck } from '../channels/check/run-check.ts'
import type { OperationContext } from '../operation/operation.ts'
import { readInput } from '../operation/read-input.ts'

interface ChosenKey {
  id: string
  draft: ChannelDraft
}

interface Taken {
  /** Ids of the created channels. */
  ids: number[]
  checks: { id: string; name: string; check: CheckResult }[]
}

const create = channelOperations.find(
  (one): one is Extract<(typeof channelOperations)[number], { name: 'channel.create' }> =>
    one.name === 'channel.create',
)

const fieldsOf = (draft: ChannelDraft) => ({
  type: draft.type,
  name: draft.name,
  key: draft.keys.join('\n'),
  base_url: draft.base_url,
  models: draft.models.join(','),
  group: draft.group,
  model_mapping: JSON.stringify(draft.model_mapping),
  priority: draft.priority,
  weight: draft.weight,
  tag: draft.tag,
  status: draft.disabled ? 2 : 1,
})

/** The vendor's own models, where it lists none of those that nobody has chosen. */
function modelsAfter(
  { models, model_mapping }: ChannelDraft,
  { models: listed }: CheckResult,
): string[] {
  const known = new Set(listed)
  const isKnown = models.some((model) => known.has(model_mapping[model] ?? model))
  return known.size === 0 || isKnown ? models : [...known]
}

/** Makes channels by the rules of the channel form. A key that fails its check makes none, and the others go on. */
export async function takeFound(
  chosen: readonly ChosenKey[],
  isChecked: boolean,
  context: OperationContext,
): Promise<Taken> {
  if (!create) throw new Error('There is no operation that adds channels.')
  const { input: schema, run } = create
  // All are read before the first is made.
  const wished = chosen.map(({ id, draft }) => ({
    id,
    draft,
    input: readInput(schema, fieldsOf(draft)),
  }))
  const taken: Taken = { ids: [], checks: [] }
  for (const { id, draft, input } of wished) {
    if (!isChecked) {
      taken.ids.push(...(await run(input, context)).data.ids)
      continue
    }
    const check = await runCheck(checkedChannel(input, context), context)
    taken.checks.push({ id, name: draft.name, check })
    if (!check.ok) continue
    const models = modelsAfter(draft, check)
    taken.ids.push(...(await run({ ...input, models }, context)).data.ids)
  }
  return taken
}
