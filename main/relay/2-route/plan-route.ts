import { type Call, isChannelTest } from '../call/call.ts'
import type { RouteNote } from '../call/route-note.ts'
import { candidatesOf } from './candidates.ts'
import { Route, type RouteServices } from './route.ts'
import type { RoutePlan } from './route-plan.ts'
import { TargetPlan } from './target-plan.ts'

/** How a call may find its channel; throws when there is none, before anything is asked. */
export function planRoute(call: Call, note: RouteNote, services: RouteServices): RoutePlan {
  const named = isChannelTest(call) ? undefined : services.routes.byName(call.model)
  return named
    ? new TargetPlan(named, call, note, services)
    : new Route(candidatesOf(call, note, services), call, note, services)
}
