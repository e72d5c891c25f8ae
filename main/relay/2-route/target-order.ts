import type { RouteTarget } from '../../store/records/routes.ts'
import type { Call } from '../call/call.ts'
import type { Place } from '../channel/affinity.ts'
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

/** Is it the target that answered the conversation last? */
function isKept({ target }: AskedTarget, kept: Place | null, { channels }: RouteServices): boolean {
  const channel = kept && channels.byId(kept.channelId)
  return channel ? target.model === kept.model && isOfTarget(channel, target) : false
}

/**
 * Targets in the order of their list, but that neighbours which have a weight come as chance will. Before all of them
 * comes the one at which the conversation was answered last: its vendor has it cached, and knows the answers in it.
 */
export function inTurn(
  targets: readonly RouteTarget[],
  call: Call,
  kept: Place | null,
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
  const first = ordered.findIndex((one) => isKept(one, kept, services))
  if (first > 0) ordered.unshift(...ordered.splice(first, 1))
  return ordered
}
