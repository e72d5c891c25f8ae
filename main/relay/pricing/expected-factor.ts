import type { Call } from '../call/call.ts'
import { formatFor } from '../channel/channel-format.ts'
import { groupFactor, groupsOf, type ServingServices, usedGroup } from '../channel/groups.ts'

/**
 * The factor of prices for a call that is not routed yet: that of the group that serves it; where
 * its token crosses groups, the largest of those that may come to serve it.
 */
export function expectedFactor(call: Call, services: ServingServices): number {
  const settings = services.settings.current
  const { user, token, pinnedChannel } = call.caller
  const factorOf = (group: string) => groupFactor(user, group, settings).factor
  const groups = groupsOf(call, settings)
  if (pinnedChannel !== null || groups.length < 2) {
    const pinned = pinnedChannel === null ? undefined : services.channels.byId(pinnedChannel)
    return factorOf(usedGroup(call, pinned ?? null, settings))
  }
  const serving = groups.filter((group) =>
    services.channels
      .serving(group, call.model)
      .some((channel) => formatFor(channel, call) !== null),
  )
  const [first = usedGroup(call, null, settings)] = serving
  return token?.crossGroupRetry
    ? Math.max(...serving.map(factorOf), factorOf(first))
    : factorOf(first)
}
