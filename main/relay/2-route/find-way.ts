import { type Call, isChannelTest } from '../call/call.ts'
import type { RouteNote } from '../call/route-note.ts'
import { candidatesOf } from './candidates.ts'
import { Route, type RouteServices } from './route.ts'
import { TargetWay } from './target-way.ts'
import type { Way } from './way.ts'

/** How a call may find its channel; throws when there is none, before anything is asked. */
export function findWay(call: Call, note: RouteNote, services: RouteServices): Way {
  const named = isChannelTest(call) ? undefined : services.routes.byName(call.model)
  return named
    ? new TargetWay(named, call, note, services)
    : new Route(candidatesOf(call, note, services), call, note, services)
}
