import type { RouteTarget } from '../../store/records/routes.ts'
import type { Call } from '../call/call.ts'
import { isOfTarget } from '../channel/route-targets.ts'
import { drawn } from './draw.ts'
import type { RouteServices } from './route.ts'

/** A target, and the call as it is asked there: by the target's model, answered under the route's name. */
export interface AskedTarget {
  target: RouteTarget
  call: Call
}

function asked(call: Call, target: RouteTarget): AskedTarget {
  const { model, askedModel = model } = call
  return { target, call: { ...call, model: target.model, askedModel } }
}

/** Each once, the first by chance and weight, and so on. */
function drawAll(equals: readonly AskedTarget[]): AskedTarget[] {
  const left = [...equals]
  const ordered: AskedTarget[] = []
  while (left.length > 0)
    ordered.push(...left.splice(drawn(left.map(({ target }) => target.weight)), 1))
  return ordered
}

/** When the target last answered the conversation that the call belongs to; -Infinity where it has not. */
function answeredAt({ call, target }: AskedTarget, { affinity, channels }: RouteServices): number {
  const conversation = affinity.conversationOf(call)
  const place = conversation === null ? null : affinity.placeOf(conversation)
  const channel = place && channels.byId(place.channelId)
  return channel && isOfTarget(channel, target) ? place.at : -Infinity
}

/**
 * Targets in the order of their list, but that neighbours which have a weight come as chance will. Before all of them
 * comes the one that answered the conversation last: its vendor has it cached, and knows the answers in it.
 */
export function inTurn(
  targets: readonly RouteTarget[],
  call: Call,
  services: RouteServices,
): AskedTarget[] {
  const ordered: AskedTarget[] = []
  let equals: AskedTarget[] = []
  const flush = () => {
    ordered.push(...drawAll(equals))
    equals = []
  }
  for (const target of targets) {
    if (target.weight === 0) flush()
    const list = target.weight === 0 ? ordered : equals
    list.push(asked(call, target))
  }
  flush()
  const last = Math.max(...ordered.map((one) => answeredAt(one, services)))
  const kept = ordered.findIndex((one) => answeredAt(one, services) === last)
  if (last > -Infinity) ordered.unshift(...ordered.splice(kept, 1))
  return ordered
}
