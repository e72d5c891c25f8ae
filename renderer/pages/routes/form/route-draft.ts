import type { OperationInput } from '../../../../preload/contract.ts'
import type { RouteRecord } from '../../../gateway/records.ts'

export type RouteInput = OperationInput<'route.create'>
type TargetInput = RouteInput['targets'][number]
type RuleInput = NonNullable<RouteInput['rules']>[number]
export type Conditions = RouteRecord['rules'][number]['when']
export type ConditionName = keyof Conditions

/** A row of a list whose rows move. */
interface Row {
  /** Its own while the form is open, so that a moved row keeps its fields and the focus. */
  key: number
}

export interface TargetDraft extends Row {
  model: string
  /** Null for any. */
  channelId: number | null
  /** Empty for any. */
  tag: string
  /** Or the text being typed. */
  weight: number | string
}

/** In the API's names; a number of tokens may be the text being typed. */
export type ConditionsDraft = Omit<Conditions, 'min_input_tokens' | 'max_input_tokens'> &
  Partial<Record<'min_input_tokens' | 'max_input_tokens', number | string>>

export interface RuleDraft extends Row {
  name: string
  when: ConditionsDraft
  targets: TargetDraft[]
}

/** A route as the form edits it. */
export interface RouteDraft {
  name: string
  targets: TargetDraft[]
  rules: RuleDraft[]
}

let lastKey = 0

export const newTarget = (): TargetDraft => ({
  ...{ key: ++lastKey, model: '', channelId: null, tag: '', weight: 0 },
})

export const newRule = (): RuleDraft => ({
  ...{ key: ++lastKey, name: '', when: {}, targets: [newTarget()] },
})

export const newRouteDraft = (): RouteDraft => ({ name: '', targets: [newTarget()], rules: [] })

const draftOfTarget = (target: RouteRecord['targets'][number]): TargetDraft => ({
  key: ++lastKey,
  model: target.model,
  channelId: target.channel_id,
  tag: target.tag ?? '',
  weight: target.weight,
})

export const draftOfRoute = ({ name, targets, rules }: RouteRecord): RouteDraft => ({
  name,
  targets: targets.map(draftOfTarget),
  rules: rules.map((rule) => ({
    key: ++lastKey,
    name: rule.name,
    when: rule.when,
    targets: rule.targets.map(draftOfTarget),
  })),
})

const targetInput = ({ model, channelId, tag, weight }: TargetDraft): TargetInput => ({
  model: model.trim(),
  channel_id: channelId,
  tag: tag.trim() || null,
  weight,
})

const ruleInput = ({ name, when, targets }: RuleDraft): RuleInput => ({
  name: name.trim(),
  when,
  targets: targets.map(targetInput),
})

export const inputOfDraft = ({ name, targets, rules }: RouteDraft): RouteInput => ({
  name: name.trim(),
  targets: targets.map(targetInput),
  rules: rules.map(ruleInput),
})

/** A stored route as it is sent again, such as under another name. */
export const inputOfRoute = (route: RouteRecord): RouteInput => ({
  ...inputOfDraft(draftOfRoute(route)),
  status: route.status,
})
