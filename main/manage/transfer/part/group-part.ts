import { ownValue } from '../../../base/own-value.ts'
import { AUTO } from '../../../relay/channel/groups.ts'
import type { Settings } from '../../../store/state/settings.ts'
import { groupDraft } from '../../../transfer/draft-schemas.ts'
import type { GroupDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { autoTaken } from '../../prices/groups.ts'
import { changesOf } from './changes.ts'
import { type Origin, type Plan, planEach } from './plan.ts'

const placeOf = (place: number): number | null => (place < 0 ? null : place)

const groupHere = (name: string, settings: Readonly<Settings>): GroupDraft => ({
  name,
  ratio: ownValue(settings.GroupRatio, name) ?? 1,
  description: ownValue(settings.UserUsableGroups, name) ?? null,
  topup_ratio: ownValue(settings.TopupGroupRatio, name) ?? null,
  ratios: ownValue(settings.GroupGroupRatio, name) ?? {},
  auto_place: placeOf(settings.AutoGroups.indexOf(name)),
})

/** The groups of this gateway. */
export const toGroupDrafts = ({ settings: { current } }: GatewayParts): GroupDraft[] =>
  Object.keys(current.GroupRatio).map((name) => groupHere(name, current))

/** Without the entry where there is no value for it. */
function withEntry<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
  value: Value | null,
): Record<string, Value> {
  const { [name]: _before, ...others } = table
  return value === null ? others : { ...others, [name]: value }
}

function write(draft: GroupDraft, { settings }: GatewayParts): void {
  const { GroupRatio, UserUsableGroups, TopupGroupRatio, GroupGroupRatio, AutoGroups } =
    settings.current
  const { name, auto_place: place } = draft
  const order = AutoGroups.filter((group) => group !== name)
  if (place !== null) order.splice(place, 0, name)
  const hasRatios = Object.keys(draft.ratios).length > 0
  settings.update({
    GroupRatio: { ...GroupRatio, [name]: draft.ratio },
    UserUsableGroups: withEntry(UserUsableGroups, name, draft.description),
    TopupGroupRatio: withEntry(TopupGroupRatio, name, draft.topup_ratio),
    GroupGroupRatio: withEntry(GroupGroupRatio, name, hasRatios ? draft.ratios : null),
    AutoGroups: order,
  })
}

/** Compares the groups of an import with those that are here, by name. Of a group that is here another program gives only the ratio. */
export function planGroups(entries: readonly unknown[], parts: GatewayParts, origin: Origin): Plan {
  const { current } = parts.settings
  return planEach('groups', entries, groupDraft, (given) => {
    if (given.name === AUTO) throw autoTaken('name')
    const isNew = !Object.hasOwn(current.GroupRatio, given.name)
    const here = groupHere(given.name, current)
    const draft = isNew || origin === 'own' ? given : { ...here, ratio: given.ratio }
    const changes = changesOf(here, draft)
    return {
      name: draft.name,
      state: isNew ? 'new' : changes.length === 0 ? 'same' : 'changed',
      changes: isNew ? [] : changes,
      notes: [],
      write: (_how, { parts: now }) => write(draft, now),
    }
  })
}
