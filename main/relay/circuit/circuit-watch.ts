import { withoutKey } from '../../base/log/redact.ts'
import {
  Circuit,
  type CircuitFailure,
  type CircuitSettings,
  type CircuitState,
  CLOSED,
} from './circuit.ts'
import { type MinuteOfCalls, RecentCalls } from './health-stats.ts'

/** Circuits of one channel's keys and models that are kept; the oldest make room for new ones. */
const MOST_CIRCUITS = 1000

// Names of circuits. A key is one line of text, so no two are the same.
export const OF_CHANNEL = 'channel'
export const ofKey = (key: string): string => `key\n${key}`
/** A key's use of a model. */
export const ofModel = (key: string, model: string): string => `model\n${key}\n${model}`

/** A circuit has opened, or closed again: a channel's, a key's, or that of a key's use of a model. */
export interface CircuitChange {
  channelId: number
  key: string | null
  model: string | null
  circuit: CircuitState
}

/** Shared by all attempts of a gateway. */
export interface CircuitContext {
  settings(): CircuitSettings
  /** Milliseconds, as of `performance.now()`. */
  clock(): number
  tell(change: CircuitChange): void
}

/** All that is known of one channel; attempts that began before it was forgotten go on reporting to the old one. */
export class ChannelHealth {
  readonly circuits = new Map<string, Circuit>()
  /** By key (null = whatever the key): failures by the rule for disabling since the last answer. */
  readonly strikes = new Map<string | null, number>()
  readonly recent = new RecentCalls()
  /** Failures of any kind since the last answer. */
  failures = 0

  /** Adds a circuit as the newest one; the oldest go, where they are over or too many. */
  add(name: string, circuit: Circuit, now: number, settings: CircuitSettings): void {
    const { circuits } = this
    circuits.delete(name)
    for (const [oldest, one] of circuits) {
      if (circuits.size < MOST_CIRCUITS && !one.isOver(now, settings)) break
      circuits.delete(oldest)
    }
    circuits.set(name, circuit)
  }
}

/** Reports of an attempt to its circuits. Each counts once; `release` always, at its end. */
export interface Watch {
  /** The upstream has begun to answer well. */
  answered(): void
  /** Also after `answered` and `release`: an answer that was cut. */
  failed(failure: CircuitFailure): void
  /** The attempt is over; where its probe has shown nothing, the next call may make one. */
  release(): void
}

/** Watches one attempt at a channel. Of a half-open circuit the attempt is the probe, and no other one is. */
export class CircuitWatch implements Watch {
  readonly #context: CircuitContext
  readonly #channel: ChannelHealth
  readonly #id: number
  readonly #key: string
  readonly #model: string
  readonly #began: number
  #answer: { minute: MinuteOfCalls; waited: number } | null = null
  #hasFailed = false
  /** State that its answer ended, restored when that answer is cut. */
  #ended: Map<string, Circuit> | null = null

  constructor(
    context: CircuitContext,
    channel: ChannelHealth,
    { id, key, model }: { id: number; key: string; model: string },
  ) {
    this.#context = context
    this.#channel = channel
    this.#id = id
    this.#key = key
    this.#model = model
    this.#began = context.clock()
    if (channel.circuits.size === 0) return
    const settings = context.settings()
    for (const [, circuit] of this.#own()) {
      const now = circuit.stateAt(this.#began, settings)
      if (now.state === 'half-open' && !now.isProbing) circuit.beginProbe(this, this.#began)
    }
  }

  answered(): void {
    if (this.#answer || this.#hasFailed) return
    const now = this.#context.clock()
    const channel = this.#channel
    this.#answer = { minute: channel.recent.at(now), waited: now - this.#began }
    this.#answer.minute.answered++
    this.#answer.minute.waited += this.#answer.waited
    channel.failures = 0
    if (channel.strikes.size > 0) {
      channel.strikes.delete(null)
      channel.strikes.delete(this.#key)
    }
    if (channel.circuits.size === 0) return
    for (const [name, circuit] of this.#own()) {
      // An attempt from before the cooldown was let in before things went wrong.
      if (circuit.hasCooled && this.#began < circuit.coolSince) continue
      channel.circuits.delete(name)
      this.#ended ??= new Map()
      this.#ended.set(name, circuit)
      if (circuit.hasCooled) this.#tell(circuit, CLOSED)
    }
  }

  failed(failure: CircuitFailure): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    const now = this.#context.clock()
    this.#channel.recent.at(now).failed++
    if (this.#answer) {
      this.#answer.minute.answered--
      this.#answer.minute.waited -= this.#answer.waited
    }
    this.#channel.failures++
    const settings = this.#context.settings()
    if (settings.ChannelFailureCount === 0) return
    const circuit = this.#circuitOf(failure, now, settings)
    circuit.endProbe(this)
    // Some vendors quote the key that they refuse.
    const reason = withoutKey(failure.reason, this.#key)
    const why = reason === failure.reason ? failure.why : undefined
    if (circuit.fail({ ...failure, reason, why }, this.#began, now, settings)) {
      this.#tell(circuit, circuit.stateAt(now, settings))
    }
  }

  release(): void {
    if (this.#channel.circuits.size === 0) return
    for (const [, circuit] of this.#own()) circuit.endProbe(this)
  }

  /** The circuit that a failure counts against: the one there is, the one that its own answer had closed, or a new one. */
  #circuitOf({ blame }: CircuitFailure, now: number, settings: CircuitSettings): Circuit {
    const { circuits } = this.#channel
    const name =
      blame === 'channel'
        ? OF_CHANNEL
        : blame === 'key'
          ? ofKey(this.#key)
          : ofModel(this.#key, this.#model)
    const before = circuits.get(name) ?? this.#ended?.get(name)
    const circuit =
      before && !before.isOver(now, settings)
        ? before
        : new Circuit(
            blame === 'channel' ? null : this.#key,
            blame === 'model' ? this.#model : null,
          )
    this.#channel.add(name, circuit, now, settings)
    return circuit
  }

  /** The circuits of the channel, the key and the model of this attempt. */
  *#own(): Generator<[string, Circuit]> {
    for (const name of [OF_CHANNEL, ofKey(this.#key), ofModel(this.#key, this.#model)]) {
      const circuit = this.#channel.circuits.get(name)
      if (circuit) yield [name, circuit]
    }
  }

  #tell({ key, model }: Circuit, circuit: CircuitState): void {
    this.#context.tell({ channelId: this.#id, key, model, circuit })
  }
}
