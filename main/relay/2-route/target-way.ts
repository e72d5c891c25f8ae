import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { ModelRoute } from '../../store/records/routes.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { RouteNote } from '../call/route-note.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { isOfTarget } from '../channel/route-targets.ts'
import { type Candidates, candidatesOf, LISTED } from './candidates.ts'
import {
  type Limited,
  type Progress,
  Route,
  type RouteServices,
  type Step,
  type Way,
} from './route.ts'
import { ruleFor } from './route-conditions.ts'
import { type AskedTarget, inTurn } from './target-order.ts'

/** The channels of a target, or why it has none. */
function channelsOf(
  { call, target }: AskedTarget,
  services: RouteServices,
): Candidates | GatewayError {
  try {
    const found = candidatesOf(call, { candidates: [], attempts: [] }, services)
    const isOwn = (channel: Channel) =>
      // A channel that the key names is asked for any model, but here there is a choice.
      channel.models.includes(target.model) && isOfTarget(channel, target)
    const sets = found.sets.map((set) => set.filter(isOwn)).filter(({ length }) => length > 0)
    const leftOut = found.leftOut.filter(({ channel }) => isOwn(channel))
    if (sets.length > 0) return { sets, isPinned: found.isPinned, leftOut }
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  const { model, channelId, tag } = target
  const where =
    channelId !== null
      ? `channel ${channelId}`
      : tag !== null
        ? `a channel with the tag "${tag}"`
        : 'the channel of the key'
  return new GatewayError('no_channel', {
    message: `The model "${model}" can't be called at ${where}.`,
    reason:
      channelId !== null
        ? { code: 'target_not_at_channel', model, channel: channelId }
        : tag !== null
          ? { code: 'target_not_at_tag', model, tag }
          : { code: 'target_not_at_pinned', model },
    field: 'model',
  })
}

/** A target that can be asked. */
interface Leg {
  way: Route
  note: RouteNote
  isSpent: boolean
}

/** The candidates of a target go into the call's own list, with their places among those of all targets. */
function takeCandidates(own: RouteNote, model: string, note: RouteNote, progress: Progress): void {
  const { candidates, more = 0 } = own
  const room = LISTED - note.candidates.length
  for (const one of candidates.slice(0, room)) {
    // The only one of its target, but not of the call.
    if (one.why === 'only') {
      delete one.why
      one.place = ++progress.place
    }
    note.candidates.push(Object.assign(one, { model }))
  }
  const beyond = more + Math.max(0, candidates.length - room)
  if (beyond > 0) note.more = (note.more ?? 0) + beyond
}

function leadsNowhere(
  { name }: ModelRoute,
  call: Call,
  refusal: GatewayError | null,
): GatewayError {
  const why = refusal?.message ?? 'It has no target.'
  return new GatewayError(refusal?.code ?? 'no_channel', {
    message: `No target of the route ${nameOf(call, name)} can be called. ${why}`,
    reason: {
      code: 'route_without_target',
      route: shortNameOf(call, name),
      why: refusal?.reason ?? why,
    },
    field: 'model',
    cause: refusal,
  })
}

/**
 * The targets of a route, one after the other, each with its channels in their own order. What is cooling down comes
 * after all that is well, also at later targets.
 */
export class TargetWay implements Way {
  readonly calls: readonly Call[]
  readonly #legs: readonly Leg[]
  readonly #note: RouteNote
  #current: Leg

  constructor(named: ModelRoute, call: Call, note: RouteNote, services: RouteServices) {
    const rule = ruleFor(named, call)
    note.named = { name: named.name }
    if (rule) note.named.rule = rule.name
    const progress: Progress = { place: 0, waited: 0 }
    const legs: Leg[] = []
    const calls: Call[] = []
    const unserved: string[] = []
    let refusal: GatewayError | null = null
    for (const one of inTurn((rule ?? named).targets, call, services)) {
      const channels = channelsOf(one, services)
      if (channels instanceof GatewayError) {
        refusal ??= channels
        unserved.push(one.target.model)
        continue
      }
      const own: RouteNote = { candidates: [], attempts: note.attempts }
      const way = new Route(channels, one.call, own, services, progress)
      legs.push({ way, note: own, isSpent: false })
      calls.push(one.call)
      takeCandidates(own, one.target.model, note, progress)
    }
    if (unserved.length > 0) note.named.unserved = unserved
    const [first] = legs
    if (!first) throw leadsNowhere(named, call, refusal)
    this.calls = calls
    this.#legs = legs
    this.#note = note
    this.#current = first
  }

  next(left: number): Step {
    for (const leg of this.#legs) {
      const step = leg.isSpent ? null : leg.way.nextWell()
      if (step) return this.#take(leg, step)
    }
    let limited: Limited | null = null
    for (const leg of this.#legs) {
      if (leg.isSpent) continue
      const step = leg.way.next(left)
      if (step.kind !== 'none') return this.#take(leg, step)
      const { limited: one } = step
      if (one && (!limited || one.until < limited.until)) limited = one
    }
    return { kind: 'none', limited }
  }

  nextTarget(): boolean {
    this.#current.isSpent = true
    return this.#legs.some(({ isSpent }) => !isSpent)
  }

  keyFilter(channel: Channel): ((key: ChannelKey) => boolean) | undefined {
    return this.#current.way.keyFilter(channel)
  }

  answered(channel: Channel, key: ChannelKey): void {
    const { way, note } = this.#current
    way.answered(channel, key)
    if (note.affinity) this.#note.affinity = note.affinity
  }

  keepAfter(answer: { readonly beginning: readonly Buffer[] }): void {
    this.#current.way.keepAfter(answer)
  }

  #take(leg: Leg, step: Step): Step {
    this.#current = leg
    return step
  }
}
