import type { Channel } from '../../store/records/channels.ts'
import type { RelayServices } from '../relay-services.ts'
import { draw } from './draw.ts'

/** Those of one priority together, the highest first. */
function tiersOf(channels: readonly Channel[]): (readonly Channel[])[] {
  const tiers = new Map<number, Channel[]>()
  for (const channel of channels) {
    const tier = tiers.get(channel.priority)
    if (tier) tier.push(channel)
    else tiers.set(channel.priority, [channel])
  }
  return [...tiers.entries()].sort(([one], [other]) => other - one).map(([, tier]) => tier)
}

/**
 * Set after set, in each the highest priority first, of one priority those that are preferred, and of these
 * as chance and weight will. Drawn one at a time: of thousands only a few are ever asked.
 */
export function* inOrder(
  sets: readonly (readonly Channel[])[],
  isPreferred: (channel: Channel) => boolean,
  services: Pick<RelayServices, 'health' | 'settings'>,
): Generator<Channel, undefined> {
  for (const tier of sets.flatMap(tiersOf)) {
    const preferred: Channel[] = []
    const others: Channel[] = []
    for (const channel of tier) (isPreferred(channel) ? preferred : others).push(channel)
    yield* draw(preferred, services)
    yield* draw(others, services)
  }
}
