import type { Channel } from '../../store/records/channels.ts'
import type { RelayServices } from '../relay-services.ts'

/** The least share of its weight that a slow or failing channel keeps: it has to be asked to show better. */
const LEAST = 0.1

/**
 * How much more often one of equals is drawn that is faster and more reliable than others: a factor from 1, for
 * the fastest of those that always answer and for one of which too little is known, down to `LEAST`.
 */
function factorsByHealth(equals: readonly Channel[], { health }: Pick<RelayServices, 'health'>) {
  const stats = equals.map(({ id }) => health.stats(id))
  let fastest = Infinity
  for (const one of stats) fastest = Math.min(fastest, one?.latency ?? Infinity)
  return stats.map((one) => {
    if (!one) return 1
    // A millisecond more or less is no difference.
    const speed = one.latency === null ? 1 : (fastest + 1) / (one.latency + 1)
    return Math.max(LEAST, one.successRate * speed)
  })
}

/** Weights to draw by; all weights 0 means equal chances. */
function weightsOf(
  equals: readonly Channel[],
  services: Pick<RelayServices, 'health' | 'settings'>,
) {
  const isUnweighted = equals.every(({ weight }) => weight === 0)
  const weights = equals.map(({ weight }) => (isUnweighted ? 1 : weight))
  if (!services.settings.current.RouteByHealth || equals.length === 1) return weights
  const factors = factorsByHealth(equals, services)
  return weights.map((weight, index) => weight * (factors[index] ?? 1))
}

/** Where in the list the draw falls. */
export function drawn(weights: readonly number[]): number {
  let total = 0
  for (const weight of weights) total += weight
  if (total === 0) return Math.floor(Math.random() * weights.length)
  let rest = Math.random() * total
  for (let index = 0; index < weights.length; index++) {
    rest -= weights[index] ?? 0
    if (rest < 0) return index
  }
  return weights.length - 1
}

/**
 * Channels of one rank in the order in which chance and their weights put them, each once; one of weight 0
 * comes after all that have one. With `RouteByHealth` the faster and more reliable is drawn more often.
 */
export function* draw(
  equals: readonly Channel[],
  services: Pick<RelayServices, 'health' | 'settings'>,
): Generator<Channel> {
  if (equals.length === 1) {
    yield equals[0] as Channel
    return
  }
  const left = [...equals]
  const weights = weightsOf(left, services)
  while (left.length > 0) {
    const index = drawn(weights)
    yield left[index] as Channel
    // The last takes its place: taking one out of the middle would move all behind it.
    const last = left.length - 1
    left[index] = left[last] as Channel
    weights[index] = weights[last] as number
    left.pop()
    weights.pop()
  }
}
