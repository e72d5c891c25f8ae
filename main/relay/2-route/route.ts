import type { Channel } from '../../store/records/channels.ts'
import { type Call, isChannelTest } from '../call/call.ts'
import type { CandidateNote, RouteNote } from '../call/route-note.ts'
import type { Place } from '../channel/affinity.ts'
import { formatFor } from '../channel/channel-format.ts'
import { type ChannelKey, enabledKeys } from '../channel/channel-keys.ts'
import { groupsOf } from '../channel/groups.ts'
import { type CircuitState, CLOSED } from '../circuit/circuit.ts'
import type { RelayServices } from '../relay-services.ts'
import { candidateNote, whyResting } from './candidate-note.ts'
import { type Candidates, LISTED, noteLeftOut } from './candidates.ts'
import { inOrder } from './order.ts'
import { Soonest } from './resting.ts'
import type { CoolingDown, Limited, Progress, RoutePlan, Step } from './route-plan.ts'

/** The stores that a route is made of. */
export type RouteServices = Pick<
  RelayServices,
  'channels' | 'routes' | 'settings' | 'health' | 'affinity'
>

/** Closed, or the next call is its probe. */
export const mayBeAsked = (circuit: CircuitState): boolean =>
  circuit.state === 'closed' || (circuit.state === 'half-open' && !circuit.isProbing)

type Open = Extract<CircuitState, { state: 'open' }>

const isLimited = (circuit: CircuitState): circuit is Open =>
  circuit.state === 'open' && circuit.isHinted

/** Another call is probing whether the pause that its vendor asked for is over: all at once would bring it back. */
const isProbed = (circuit: CircuitState): boolean =>
  circuit.state === 'half-open' && circuit.isProbing && circuit.isHinted

/** Milliseconds between two looks at whether that is known, up to twice as many. */
const LOOK = 100

/** Channels that have begun to rest while a call went on of which it still thinks. */
const MOST_RESTING = 256

/** When it may be asked again. The probe of another call may be over any moment. */
const endOf = (circuit: CircuitState): number => (circuit.state === 'open' ? circuit.until : 0)

/**
 * The channels that may serve a call, in the order in which to try them, none twice with one key: group by group, the
 * highest priority first, then (`PreferNativeFormat`) those that need no conversion, by weight among equals;
 * before all of them the one that has answered the conversation so far. What is cooling down comes after
 * all others as a last resort, that first whose cooldown ends first. Only what the vendor itself asked to
 * leave alone is not asked before its time: it is waited for where that is soon enough (`RetryWaitSeconds` a
 * call), else passed over; then one call asks it while others wait. A channel that the key names is asked however it stands.
 */
export class Route implements RoutePlan {
  readonly calls: readonly [Call]
  readonly #call: Call
  readonly #services: RouteServices
  readonly #record: RouteNote
  readonly #notes: CandidateNote[]
  readonly #isPinned: boolean
  readonly #heedsHealth: boolean
  readonly #conversation: string | null
  /** Where the conversation was answered last. */
  readonly #kept: Place | null
  /** The next ones, and what comes after them. */
  readonly #ready: Channel[] = []
  #order: Iterator<Channel, undefined> | null = null
  /** Made when there is one: mostly there is none. */
  #resting: Set<Channel> | null = null
  #answeredBy: Place | null = null
  readonly #progress: Progress

  constructor(
    candidates: Candidates,
    call: Call,
    note: RouteNote,
    services: RouteServices,
    progress: Progress = { place: 0, waited: 0, asked: null },
  ) {
    this.calls = [call]
    this.#call = call
    this.#progress = progress
    this.#services = services
    this.#record = note
    this.#notes = note.candidates
    this.#isPinned = candidates.isPinned
    // A count says little of how answers fare, and a test is to find out.
    this.#heedsHealth = call.verb === 'generate' && !isChannelTest(call)
    this.#conversation = candidates.isPinned ? null : services.affinity.conversationOf(call)
    this.#kept = this.#conversation === null ? null : services.affinity.placeOf(this.#conversation)
    const [first, second] = candidates.sets
    if (first?.length === 1 && !second) this.#planOne(first[0] as Channel)
    else this.#plan(candidates.sets)
    this.#noteLeftOut(candidates)
  }

  next(left: number): Step {
    const well = this.nextHealthy()
    if (well) return well
    const { next, limited } = this.nextCoolingDown(left)
    return next ? this.askCoolingDown(next) : { kind: 'none', limited }
  }

  /** Past the first of many, the order isn't gone through for it. */
  get hasOther(): boolean {
    return this.#ready.some((channel) => !this.#wasAsked(channel))
  }

  nextKey(planned: Channel, failed: ChannelKey): Step | null {
    const channel = this.#stored(planned)
    if (!channel || channel.multiKeyMode === null || !this.#heedsHealth) return null
    const isWell = (key: ChannelKey) => mayBeAsked(this.#keyCircuit(channel, key))
    // A key that is still well was not the reason.
    if (isWell(failed) || !mayBeAsked(this.#circuit(channel))) return null
    return enabledKeys(channel).some(isWell) ? this.#ask(channel) : null
  }

  nextTarget(): boolean {
    return false
  }

  /** The next one that is not cooling down. */
  nextHealthy(): Step | null {
    for (let planned = this.#take(); planned; planned = this.#take()) {
      const channel = this.#stored(planned)
      if (!channel || this.#wasAsked(channel)) continue
      const circuit = this.#circuit(channel)
      if (mayBeAsked(circuit)) return this.#ask(channel)
      if ((this.#resting?.size ?? 0) < MOST_RESTING) this.#rest(channel)
      if (!this.#isPinned) Object.assign(this.#noteOf(channel) ?? {}, whyResting(circuit))
    }
    return null
  }

  keyFilter(channel: Channel): ((key: ChannelKey) => boolean) | undefined {
    if (channel.multiKeyMode === null || !this.#heedsHealth) return undefined
    const isKept = this.#keptKey(channel)
    if (isKept) return isKept
    const isAskable = (key: ChannelKey) => mayBeAsked(this.#keyCircuit(channel, key))
    if (enabledKeys(channel).some(isAskable)) return isAskable
    // The channel itself rests: one that was refused would only hide how it fares.
    const { health } = this.#services
    const isGood = ({ text }: ChannelKey) =>
      mayBeAsked(health.ofKeyAlone(channel.id, text, this.#call.model))
    if (enabledKeys(channel).some(isGood)) return isGood
    // As a last resort rather one that no vendor asked to leave alone.
    return (key) => !isLimited(this.#keyCircuit(channel, key))
  }

  answered(channel: Channel, key: ChannelKey): void {
    this.#answeredBy = { channelId: channel.id, key: key.text }
    if (this.#conversation === null) return
    const kept = this.#kept
    const isSame = kept?.channelId === channel.id && kept.key === key.text
    this.#record.affinity = kept === null ? 'new' : isSame ? 'kept' : 'left'
    this.#services.affinity.keep(this.#conversation, this.#answeredBy)
  }

  keepAfter(answer: { readonly beginning: readonly Buffer[] }): void {
    const conversation = this.#answeredBy && this.#services.affinity.after(this.#call, answer)
    if (this.#answeredBy && conversation)
      this.#services.affinity.keep(conversation, this.#answeredBy)
  }

  /** With nothing to choose from there is nothing to put in order. */
  #planOne(channel: Channel): void {
    this.#ready.push(channel)
    this.#note(channel, { why: this.#isPinned ? 'pinned' : 'only' })
  }

  #plan(sets: readonly (readonly Channel[])[]): void {
    const limited = new Soonest()
    const others = new Soonest()
    let kept: Channel | null = null
    const askable = sets.map((set) =>
      set.filter((channel) => {
        const circuit = this.#circuit(channel)
        if (!mayBeAsked(circuit)) {
          const list = isLimited(circuit) ? limited : others
          list.add({ channel, circuit, end: endOf(circuit) })
        } else if (this.#keptKey(channel)) kept = channel
        else return true
        return false
      }),
    )
    const prefersNative = this.#services.settings.current.PreferNativeFormat
    const isPreferred = (channel: Channel) => prefersNative && this.#isNative(channel)
    this.#order = inOrder(askable, isPreferred, this.#services)
    if (kept) this.#planned(kept, { why: 'affinity' })
    while (this.#ready.length < LISTED) {
      const channel = this.#order.next().value
      if (!channel) break
      this.#planned(channel)
    }
    const resting = [...others.list, ...limited.list]
    for (const { channel, circuit } of resting.sort((one, other) => one.end - other.end)) {
      this.#rest(channel)
      if (this.#notes.length >= LISTED) continue
      const place = isLimited(circuit) ? {} : { place: ++this.#progress.place }
      this.#note(channel, { ...place, ...whyResting(circuit) })
    }
  }

  #planned(channel: Channel, more?: Partial<CandidateNote>): void {
    this.#ready.push(channel)
    this.#note(channel, { place: ++this.#progress.place, ...more })
  }

  #note(channel: Channel, more: Partial<CandidateNote>): void {
    this.#notes.push(candidateNote(channel, this.#isNative(channel), more))
  }

  #noteLeftOut({ sets, leftOut }: Candidates): void {
    let total = leftOut.length
    for (const { length } of sets) total += length
    for (const one of leftOut) {
      if (this.#notes.length >= LISTED) break
      this.#notes.push(noteLeftOut(one))
    }
    if (total > this.#notes.length) this.#record.more = total - this.#notes.length
  }

  /**
   * The channel as it is stored now, since an earlier attempt or a wait may have taken minutes; null where it may not
   * serve the call any more.
   */
  #stored(planned: Channel): Channel | null {
    const channel = this.#services.channels.byId(planned.id)
    if (!channel || channel === planned) return channel ?? null
    const { caller, model } = this.#call
    if (channel.status !== 1 || formatFor(channel, this.#call) === null) return null
    if (caller.pinnedChannel !== null) return channel
    const groups = groupsOf(this.#call, this.#services.settings.current)
    const isInGroup = channel.groups.some((group) => groups.includes(group))
    return isInGroup && channel.models.includes(model) ? channel : null
  }

  #take(): Channel | undefined {
    return this.#ready.shift() ?? this.#order?.next().value
  }

  #wasAsked({ id }: Channel): boolean {
    return this.#progress.asked?.has(`${id} ${this.#call.model}`) === true
  }

  #ask(channel: Channel): Step {
    this.#progress.asked?.add(`${channel.id} ${this.#call.model}`)
    const note = this.#noteOf(channel)
    if (note) note.place ??= ++this.#progress.place
    return { kind: 'ask', channel, call: this.#call }
  }

  /** The resting one whose end comes first. */
  nextCoolingDown(left: number): CoolingDown {
    const now = performance.now()
    const longest = this.#services.settings.current.RetryWaitSeconds * 1000 - this.#progress.waited
    const patience = Math.min(longest, left)
    let next: CoolingDown['next'] = null
    let limited: Limited | null = null
    for (const channel of this.#resting ?? []) {
      const stored = this.#wasAsked(channel) ? null : this.#stored(channel)
      if (stored !== channel) {
        // Comes again, as it is now, in this very loop.
        this.#resting?.delete(channel)
        if (stored) this.#rest(stored)
        continue
      }
      const circuit = this.#circuit(channel)
      const isAwaited = isProbed(circuit) && !this.#isPinned
      const until = mayBeAsked(circuit) ? -1 : isAwaited ? Infinity : endOf(circuit)
      const look = isAwaited ? Math.min(LOOK * (1 + Math.random()), patience) : 0
      const wait = isLimited(circuit) ? Math.ceil(until - now) : look
      if (isLimited(circuit) && wait > patience && !this.#isPinned) {
        if (!limited || until < limited.until) limited = { channel, until, reason: circuit.reason }
      } else if (!next || until < next.until) next = { channel, until, wait, patience }
    }
    return { next, limited }
  }

  /** Waits for what rests where that is soon enough, else asks it. */
  askCoolingDown({ channel, wait, patience }: NonNullable<CoolingDown['next']>): Step {
    if (wait > 0 && wait <= patience) {
      this.#progress.waited += wait
      return { kind: 'wait', milliseconds: wait }
    }
    this.#resting?.delete(channel)
    return this.#ask(channel)
  }

  #rest(channel: Channel): void {
    this.#resting ??= new Set()
    this.#resting.add(channel)
  }

  #noteOf({ id }: Channel): CandidateNote | undefined {
    return this.#notes.find((note) => note.id === id)
  }

  #isNative(channel: Channel): boolean {
    return formatFor(channel, this.#call) === this.#call.format
  }

  #circuit(channel: Channel): CircuitState {
    if (!this.#heedsHealth || this.#services.health.hasNoFailures(channel.id)) return CLOSED
    const keys = enabledKeys(channel).map(({ text }) => text)
    return this.#services.health.ofChannel(channel, keys, this.#call.model)
  }

  #keyCircuit({ id }: Channel, { text }: ChannelKey): CircuitState {
    return this.#services.health.ofKey(id, text, this.#call.model)
  }

  /** Picks the key that has answered the conversation, where that is this channel's, and may be asked. */
  #keptKey(channel: Channel): ((key: ChannelKey) => boolean) | null {
    const kept = this.#kept
    if (kept?.channelId !== channel.id) return null
    const isKept = ({ text }: ChannelKey) => text === kept.key
    const key = enabledKeys(channel).find(isKept)
    return key && mayBeAsked(this.#keyCircuit(channel, key)) ? isKept : null
  }
}
