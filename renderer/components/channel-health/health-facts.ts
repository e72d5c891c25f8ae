import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'

export type HealthPart = ChannelHealth['parts'][number]

/** The worst circuit of a channel: its own, or that of a key or model. */
type WorstCircuit = Pick<HealthPart, 'state' | 'probing' | 'until' | 'reason'>

/** The higher, the worse. */
const rank = ({ state, probing }: WorstCircuit): number =>
  state === 'closed' ? 0 : state === 'open' ? 3 : probing ? 2 : 1

/** The word for a circuit, as the keys of its texts end. */
export const wordFor = ({ state, probing }: WorstCircuit): WorstCircuit['state'] | 'probing' =>
  probing ? 'probing' : state

/** Keys and models with failures, the worst first. */
export const failingParts = ({ parts }: ChannelHealth): HealthPart[] =>
  parts
    .filter(
      ({ key, model, state, failures }) =>
        (key !== null || model !== null) && (state !== 'closed' || failures > 0),
    )
    .sort((one, other) => rank(other) - rank(one))

/** Null when the channel and all its keys and models are healthy. */
export function worstOf(health: ChannelHealth): (WorstCircuit & { isPart: boolean }) | null {
  if (health.state !== 'closed') return { ...health, isPart: false }
  const worst = failingParts(health)[0]
  return worst && worst.state !== 'closed' ? { ...worst, isPart: true } : null
}

/** Whether "Try again now" would change anything. */
export const canReset = (health: ChannelHealth): boolean =>
  health.state !== 'closed' ||
  health.failures > 0 ||
  health.disable_failures > 0 ||
  health.parts.some(({ state, failures }) => state !== 'closed' || failures > 0)

/** Sorts channels that are cooling down first, then those with recent failures. */
export function worstFirst(one: ChannelHealth, other: ChannelHealth): number {
  return weightOf(other) - weightOf(one) || one.id - other.id
}

function weightOf(health: ChannelHealth): number {
  const worst = worstOf(health)
  // An auto-disabled channel waits for its next test.
  const isOff = health.retest_at === null ? 0 : 100
  return (
    isOff + (worst ? rank(worst) * 10 + (worst.isPart ? 0 : 5) : 0) + (canReset(health) ? 1 : 0)
  )
}

export type FailedTest = { model: string; problem: string }

/** The last test, if it failed and calls haven't been answered since. A worse state says more. */
export function failedTest(
  health: ChannelHealth | undefined,
  lastTest: ChannelRecord['last_test'] | undefined,
): FailedTest | null {
  if (!lastTest || lastTest.problem === null || (health && worstOf(health))) return null
  const rate = health?.success_rate ?? null
  return rate !== null && rate >= 0.5 ? null : { model: lastTest.model, problem: lastTest.problem }
}
