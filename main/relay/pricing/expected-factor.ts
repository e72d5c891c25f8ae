import { unixSeconds } from '../../base/clock.ts'
import { pricedTier } from '../../convert/other/priced-tier.ts'
import type { Call } from '../call/call.ts'
import { formatFor } from '../channel/channel-format.ts'
import { groupFactor, groupsOf, type ServingServices, usedGroup } from '../channel/groups.ts'
import { type Price, peakFactor } from './model-price.ts'
import { tierFactor } from './price.ts'

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

/** Fields by which the formats ask for a service tier. */
const TIER_FIELDS = ['service_tier', 'serviceTier', 'speed']

/** What the vendor asks for this call against its plain prices: by the hour, and for the tier that is asked for. */
export function vendorFactor({ body }: Call, price: Price): number {
  const tiers = TIER_FIELDS.map((field) => tierFactor(price, pricedTier(body.get(field))) ?? 1)
  // A cheaper tier may be answered in the standard one.
  return peakFactor(price, unixSeconds()) * Math.max(1, ...tiers)
}
