import type { RouteRecord } from '../../gateway/records.ts'

export type TargetRecord = RouteRecord['targets'][number]

export interface SharedTarget {
  target: TargetRecord
  /** Of the calls, from 0 to 1; null for a target that is tried in its turn. */
  share: number | null
}

/** Targets in the order in which they are tried; neighbors with a weight share one step. */
export function stepsOf(targets: readonly TargetRecord[]): SharedTarget[][] {
  const steps: TargetRecord[][] = []
  let sharing: TargetRecord[] | null = null
  for (const target of targets) {
    if (target.weight === 0) {
      sharing = null
      steps.push([target])
    } else if (sharing) sharing.push(target)
    else {
      sharing = [target]
      steps.push(sharing)
    }
  }
  return steps.map((step) => {
    const sum = step.reduce((total, { weight }) => total + weight, 0)
    return step.map((target) => ({
      target,
      share: step.length > 1 ? target.weight / sum : null,
    }))
  })
}

const isUnserved = ({ channels }: TargetRecord) => channels === 0

/** Targets of the route and its rules that are skipped, since no enabled channel serves them, each once. */
export function skippedTargets(route: RouteRecord): TargetRecord[] {
  const all = [route, ...route.rules]
    .filter((list) => !leadsNowhere(list))
    .flatMap(({ targets }) => targets.filter(isUnserved))
  const isSame = (one: TargetRecord, other: TargetRecord) =>
    one.model === other.model && one.channel_id === other.channel_id && one.tag === other.tag
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

export const leadsNowhere = ({ targets }: Pick<RouteRecord, 'targets'>): boolean =>
  targets.every(isUnserved)
