import type { Channel } from '../../store/records/channels.ts'
import type { ModelRoute, Routes, RouteTarget } from '../../store/records/routes.ts'
import { type ServingServices, servingIn } from './groups.ts'

/** Is it one of the channels that the target is limited to? */
export const isOfTarget = (channel: Channel, { channelId, tag }: RouteTarget): boolean =>
  (channelId === null || channel.id === channelId) && (tag === null || channel.tag === tag)

/** The stores that say which names may be called. */
export interface NamingServices extends ServingServices {
  routes: Pick<Routes, 'all' | 'byName'>
}

/** All targets of a route: its own, then those of its rules. */
export const allTargets = ({ targets, rules }: ModelRoute): RouteTarget[] => [
  ...targets,
  ...rules.flatMap((rule) => rule.targets),
]

/** Enabled channels of a target that are in the caller's groups. */
export const servingTarget = (
  target: RouteTarget,
  asking: Omit<Parameters<typeof servingIn>[0], 'model'>,
  services: ServingServices,
): Channel[] =>
  servingIn({ ...asking, model: target.model }, services).filter((one) => isOfTarget(one, target))
