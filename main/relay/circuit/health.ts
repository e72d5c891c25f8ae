import type { Channel } from '../../store/records/channels.ts'
import { type CircuitReason, type CircuitSettings, type CircuitState, CLOSED } from './circuit.ts'
import {
  ChannelHealth,
  type CircuitChange,
  type CircuitContext,
  CircuitWatch,
  OF_CHANNEL,
  ofKey,
  ofModel,
  type Watch,
} from './circuit-watch.ts'
import type { HealthStats } from './health-stats.ts'

export type { CircuitFailure, CircuitState } from './circuit.ts'
export type { CircuitChange, Watch } from './circuit-watch.ts'

/** The higher, the worse. */
const rank = (circuit: CircuitState): number => {
  if (circuit.state === 'closed') return 0
  if (circuit.state === 'open') return 3
  return circuit.isProbing ? 2 : 1
}

/**
 * The worse of two; of two cooldowns the one that the vendor has named, however long the other is: until its end
 * nothing may be asked. Of two of a kind the one that lasts longer.
 */
function worse(one: CircuitState, other: CircuitState): CircuitState {
  if (one.state === 'open' && other.state === 'open') {
    if (one.isHinted !== other.isHinted) return one.isHinted ? one : other
    return one.until >= other.until ? one : other
  }
  if (rank(one) === 2 && rank(other) === 2) return 'isHinted' in one && one.isHinted ? one : other
  return rank(one) >= rank(other) ? one : other
}

/** The circuit of one key or model of a channel, or of the channel itself (neither). */
export interface PartOfHealth extends CircuitReason {
  key: string | null
  model: string | null
  /** Since the last answer. */
  failures: number
  circuit: CircuitState
}

/** Health of a channel as a whole. */
export interface HealthOverview {
  /** Failures of any kind since the last answer. */
  failures: number
  /** Failures by the rule for disabling since the last answer, of the key that has most. */
  strikes: number
  /** Calls of the last minutes. */
  calls: number
}

/**
 * Circuits of channels, keys and models of keys. In memory: a start forgets them. A circuit is dropped with its first
 * answer, or when its failures are long ago. A state holds for the moment: an attempt that goes by it has to be
 * watched in the same turn, so that what is half-open gets one probe and no two.
 */
export class Health {
  readonly #channels = new Map<number, ChannelHealth>()
  readonly #listeners = new Set<(change: CircuitChange) => void>()
  readonly #context: CircuitContext

  constructor(settings: () => CircuitSettings, clock: () => number = () => performance.now()) {
    const tell = (change: CircuitChange) => {
      for (const listener of this.#listeners) listener(change)
    }
    this.#context = { settings, clock, tell }
  }

  /** No failure counts against any part of the channel: there is no need to look further. */
  hasNoFailures(channelId: number): boolean {
    return (this.#channels.get(channelId)?.circuits.size ?? 0) === 0
  }

  /** The circuit of one key of a channel for a model. */
  ofKey(channelId: number, key: string, model: string, now = this.#context.clock()): CircuitState {
    const channel = this.#channels.get(channelId)
    if (!channel || channel.circuits.size === 0) return CLOSED
    const own = this.#circuit(channel, OF_CHANNEL, now)
    return worse(own, this.ofKeyAlone(channelId, key, model, now))
  }

  /** The same without the channel's own: which of its keys is the better one. */
  ofKeyAlone(
    channelId: number,
    key: string,
    model: string,
    now = this.#context.clock(),
  ): CircuitState {
    const channel = this.#channels.get(channelId)
    if (!channel || channel.circuits.size === 0) return CLOSED
    const ofThis = this.#circuit(channel, ofKey(key), now)
    return worse(ofThis, this.#circuit(channel, ofModel(key, model), now))
  }

  /** The circuit of a channel for a model (null = for any): that of the best of these keys. */
  ofChannel(
    { id }: Pick<Channel, 'id'>,
    keys: readonly string[],
    model: string | null,
    now = this.#context.clock(),
  ): CircuitState {
    const channel = this.#channels.get(id)
    if (!channel || channel.circuits.size === 0) return CLOSED
    let best: CircuitState | null = null
    for (const key of keys.length === 0 ? [''] : keys) {
      let circuit = this.#circuit(channel, ofKey(key), now)
      if (model !== null) circuit = worse(circuit, this.#circuit(channel, ofModel(key, model), now))
      if (best === null || worse(best, circuit) === best) best = circuit
      if (best.state === 'closed') break
    }
    return worse(this.#circuit(channel, OF_CHANNEL, now), best ?? CLOSED)
  }

  /** Begins to watch an attempt; of a half-open circuit, this attempt is the probe. */
  watch(channelId: number, key: string, model: string): Watch {
    return new CircuitWatch(this.#context, this.#at(channelId), { id: channelId, key, model })
  }

  /** How a channel fared over the last five minutes; null while there were too few calls to say. */
  stats(channelId: number): HealthStats | null {
    return this.#channels.get(channelId)?.recent.stats(this.#context.clock()) ?? null
  }

  /**
   * A failure by the rule for disabling, of a key or (null) of the channel whatever the key. Gives how many
   * there were with no answer of that key between them.
   */
  strike(channelId: number, key: string | null): number {
    const { strikes } = this.#at(channelId)
    const count = (strikes.get(key) ?? 0) + 1
    strikes.set(key, count)
    return count
  }

  /** A channel, or one key of it, was changed by hand or deleted: nothing that was known of it holds any more. */
  forget(channelId: number, key: string | null = null): void {
    const channel = this.#channels.get(channelId)
    if (!channel) return
    const isMeant = (one: string | null) => key === null || one === key
    const ended = [...channel.circuits].filter(([, circuit]) => isMeant(circuit.key))
    if (key === null) this.#channels.delete(channelId)
    else {
      channel.strikes.delete(key)
      for (const [name] of ended) channel.circuits.delete(name)
    }
    for (const [, circuit] of ended) {
      if (!circuit.hasCooled) continue
      this.#context.tell({
        channelId,
        key: circuit.key,
        model: circuit.model,
        circuit: CLOSED,
      })
    }
  }

  /** The circuits of a channel that have counted a failure since the last answer. */
  circuits(channelId: number, now = this.#context.clock()): PartOfHealth[] {
    const channel = this.#channels.get(channelId)
    if (!channel) return []
    const settings = this.#context.settings()
    return [...channel.circuits.values()]
      .filter((circuit) => !circuit.isOver(now, settings))
      .map((circuit) => ({
        key: circuit.key,
        model: circuit.model,
        failures: circuit.failures,
        ...circuit.last,
        circuit: circuit.stateAt(now, settings),
      }))
  }

  /** Health of a channel as a whole. */
  overview(channelId: number): HealthOverview {
    const channel = this.#channels.get(channelId)
    if (!channel) return { failures: 0, strikes: 0, calls: 0 }
    return {
      failures: channel.failures,
      strikes: Math.max(0, ...channel.strikes.values()),
      calls: channel.recent.count(this.#context.clock()),
    }
  }

  /** Told when a circuit opens or closes; never for each call. Returns what ends it. */
  onChange(listener: (change: CircuitChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #at(channelId: number): ChannelHealth {
    let channel = this.#channels.get(channelId)
    if (!channel) {
      channel = new ChannelHealth()
      this.#channels.set(channelId, channel)
    }
    return channel
  }

  #circuit(channel: ChannelHealth, name: string, now: number): CircuitState {
    return channel.circuits.get(name)?.stateAt(now, this.#context.settings()) ?? CLOSED
  }
}
