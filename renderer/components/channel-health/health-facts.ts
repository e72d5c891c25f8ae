import type { ChannelHealth } from '../../gateway/records.ts'

export type HealthPart = ChannelHealth['parts'][number]

/** What of a channel stands as badly as this, with until when and why. */
interface Standing {
  state: ChannelHealth['state']
  until: number | null
  reason: string | null
}

const rank = { open: 0, half_open: 1, trial: 2, cooling: 3 } as const

/** The keys and models of a channel that have something against them, the worst first. */
export const troubledParts = ({ parts }: ChannelHealth): HealthPart[] =>
  parts
    .filter(
      ({ key, model, state, failures }) =>
        (key !== null || model !== null) && (state !== 'open' || failures > 0),
    )
    .sort((one, other) => rank[other.state] - rank[one.state])

/** The worst of a channel: itself, or only some of its keys and models; null where all may be asked. */
export function worstOf(health: ChannelHealth): (Standing & { isPart: boolean }) | null {
  if (health.state !== 'open') return { ...health, isPart: false }
  const worst = troubledParts(health)[0]
  return worst && worst.state !== 'open' ? { ...worst, isPart: true } : null
}

/** Whether there is anything that "try again now" would end. */
export const canReset = (health: ChannelHealth): boolean =>
  health.state !== 'open' ||
  health.failures > 0 ||
  health.disable_failures > 0 ||
  health.parts.some(({ state, failures }) => state !== 'open' || failures > 0)

/** The order in which channels are looked at: what is left alone first, then what has failed of late. */
export function worstFirst(one: ChannelHealth, other: ChannelHealth): number {
  return weightOf(other) - weightOf(one) || one.id - other.id
}

function weightOf(health: ChannelHealth): number {
  const worst = worstOf(health)
  // One that the gateway switched off waits for its next test.
  const isOff = health.retest_at === null ? 0 : 100
  return (
    isOff +
    (worst ? rank[worst.state] * 10 + (worst.isPart ? 0 : 5) : 0) +
    (canReset(health) ? 1 : 0)
  )
}
