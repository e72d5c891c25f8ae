import { GatewayError } from '../../base/errors.ts'
import type { Channel } from '../../store/records/channels.ts'
import type { ModelRoute } from '../../store/records/routes.ts'
import { nameOf, shortNameOf } from '../call/asked-model.ts'
import type { Call } from '../call/call.ts'
import type { CandidateNote, RouteNote } from '../call/route-note.ts'
import type { Place } from '../channel/affinity.ts'
import type { ChannelKey } from '../channel/channel-keys.ts'
import { isOfTarget } from '../channel/route-targets.ts'
import { requirePrice } from '../limits/reserve.ts'
import { type Candidates, candidatesOf, LISTED } from './candidates.ts'
import { Route, type RouteServices } from './route.ts'
import { ruleFor } from './route-conditions.ts'
import type { CoolingDown, Limited, Progress, RoutePlan, Step } from './route-plan.ts'
import { type AskedTarget, inTurn } from './target-order.ts'

/** The channels of a target, or why it has none. */
function channelsOf(
  { call, target }: AskedTarget,
  note: RouteNote,
  services: RouteServices,
): Candidates | GatewayError {
  const isOwn = (channel: Channel) =>
    // A channel that the key names is asked for any model, but here there is a choice.
    channel.models.includes(target.model) && isOfTarget(channel, target)
  try {
    if (call.verb === 'generate') requirePrice(call, { name: target.model, at: 'model' }, services)
    const found = candidatesOf(call, note, services, isOwn)
    if (found.sets.length > 0) return found
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
interface PlannedTarget {
  route: Route
  call: Call
  note: RouteNote
  isSpent: boolean
}

/** The candidates of a target go into the call's own list. */
function takeCandidates({ candidates, more = 0 }: RouteNote, model: string, note: RouteNote): void {
  const room = LISTED - note.candidates.length
  for (const one of candidates.slice(0, room)) note.candidates.push(Object.assign(one, { model }))
  const beyond = more + Math.max(0, candidates.length - room)
  if (beyond > 0) note.more = (note.more ?? 0) + beyond
}

/** Numbers the candidates of all targets as they are asked: what rests comes last. */
function numberPlaces(candidates: readonly CandidateNote[]): number {
  const askable = candidates.filter(({ place, why }) => place !== undefined || why === 'only')
  // The only one of its target is not the only one of the call.
  for (const one of askable) if (one.why === 'only') delete one.why
  const isWell = ({ until, why }: CandidateNote) => until === undefined && why !== 'half-open'
  const inOrder = [...askable.filter(isWell), ...askable.filter((one) => !isWell(one))]
  for (const [index, one] of inOrder.entries()) one.place = index + 1
  return inOrder.length
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
    ...(refusal && { status: refusal.status }),
  })
}

/**
 * The targets of a route, one after the other, each with its channels in their own order. What is cooling down comes
 * after all that is well, also at later targets.
 */
export class TargetPlan implements RoutePlan {
  readonly calls: readonly Call[]
  readonly #planned: readonly PlannedTarget[]
  readonly #note: RouteNote
  readonly #affinity: RouteServices['affinity']
  /** The call under the names of its route and rule, as its conversation is remembered. */
  readonly #named: Call
  #current: PlannedTarget
  #place: Place | null = null

  constructor(named: ModelRoute, call: Call, note: RouteNote, services: RouteServices) {
    const rule = ruleFor(named, call)
    note.named = { name: named.name }
    if (rule) note.named.rule = rule.name
    // Not by the route alone: what another of its rules answered is no reason to stay there.
    this.#named = { ...call, model: `${named.name}\n${rule?.name ?? ''}` }
    this.#affinity = services.affinity
    const conversation = this.#affinity.conversationOf(this.#named)
    const kept = conversation === null ? null : this.#affinity.placeOf(conversation)
    const progress: Progress = { place: 0, waited: 0, asked: new Set() }
    const planned: PlannedTarget[] = []
    const unserved: string[] = []
    let refusal: GatewayError | null = null
    for (const one of inTurn((rule ?? named).targets, call, kept, services)) {
      const own: RouteNote = { candidates: [], attempts: note.attempts }
      const channels = channelsOf(one, own, services)
      if (channels instanceof GatewayError) {
        refusal ??= channels
        unserved.push(one.target.model)
      } else {
        const route = new Route(channels, one.call, own, services, progress)
        planned.push({ route, call: one.call, note: own, isSpent: false })
      }
      takeCandidates(own, one.target.model, note)
    }
    if (unserved.length > 0) note.named.unserved = unserved
    const [first] = planned
    if (!first) throw leadsNowhere(named, call, refusal)
    progress.place = numberPlaces(note.candidates)
    this.calls = planned.map(({ call: asked }) => asked)
    this.#planned = planned
    this.#note = note
    this.#current = first
  }

  next(left: number): Step {
    const planned = this.#planned.filter(({ isSpent }) => !isSpent)
    for (const target of planned) {
      const step = target.route.nextHealthy()
      if (step) return this.#take(target, step)
    }
    let limited: Limited | null = null
    let first: { target: PlannedTarget; next: NonNullable<CoolingDown['next']> } | null = null
    for (const target of planned) {
      const { next, limited: one } = target.route.nextCoolingDown(left)
      if (next && (!first || next.until < first.next.until)) first = { target, next }
      if (one && (!limited || one.until < limited.until)) limited = one
    }
    return first
      ? this.#take(first.target, first.target.route.askCoolingDown(first.next))
      : { kind: 'none', limited }
  }

  get hasOther(): boolean {
    return this.#planned.some(({ isSpent, route }) => !isSpent && route.hasOther)
  }

  nextKey(channel: Channel, failed: ChannelKey): Step | null {
    return this.#current.route.nextKey(channel, failed)
  }

  nextTarget(): boolean {
    this.#current.isSpent = true
    return this.#planned.some(({ isSpent }) => !isSpent)
  }

  keyFilter(channel: Channel): ((key: ChannelKey) => boolean) | undefined {
    return this.#current.route.keyFilter(channel)
  }

  answered(channel: Channel, key: ChannelKey): void {
    const { route, call, note } = this.#current
    route.answered(channel, key)
    if (note.affinity) this.#note.affinity = note.affinity
    this.#place = { channelId: channel.id, key: key.text, model: call.model }
    this.#keep(this.#affinity.conversationOf(this.#named))
  }

  keepAfter(answer: { readonly beginning: readonly Buffer[] }): void {
    this.#current.route.keepAfter(answer)
    this.#keep(this.#affinity.after(this.#named, answer))
  }

  /** The route's own conversation: the one of a model is shared with calls that name that model. */
  #keep(conversation: string | null): void {
    if (conversation !== null && this.#place) this.#affinity.keep(conversation, this.#place)
  }

  #take(target: PlannedTarget, step: Step): Step {
    this.#current = target
    return step
  }
}
