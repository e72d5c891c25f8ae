import type { Channel } from '../../store/records/channels.ts'
import { type HealthSettings, OPEN, type Standing } from './circuit.ts'
import {
  ChannelHealth,
  type HealthChange,
  type HealthContext,
  HealthWatch,
  OF_CHANNEL,
  ofKey,
  ofModel,
  type Watch,
} from './circuit-watch.ts'
import type { HealthStats } from './health-stats.ts'

export type { HealthFailure, Standing } from './circuit.ts'
export type { HealthChange, Watch } from './circuit-watch.ts'

const rank = { open: 0, 'half-open': 1, trial: 2, cooling: 3 } as const

/**
 * The worse of two; of two cooldowns the one that the vendor has named, however long the other is: until its end
 * nothing may be asked. Of two of a kind the one that lasts longer.
 */
function worse(one: Standing, other: Standing): Standing {
  if (one.state === 'cooling' && other.state === 'cooling') {
    if (one.isHinted !== other.isHinted) return one.isHinted ? one : other
    return one.until >= other.until ? one : other
  }
  if (one.state === 'trial' && other.state === 'trial') return one.isHinted ? one : other
  return rank[one.state] >= rank[other.state] ? one : other
}

/** What stands against one key or model of a channel, or against the channel itself (neither). */
export interface PartOfHealth {
  key: string | null
  model: string | null
  /** Since the last answer. */
  failures: number
  reason: string
  standing: Standing
}

/** What is known of a channel as a whole. */
export interface HealthOverview {
  /** Of any kind, since the last answer. */
  failures: number
  /** Failures by the rule for disabling since the last answer, of the key that has most. */
  strikes: number
  /** Calls of the last minutes. */
  calls: number
}

/**
 * Which channels, keys and models of keys have failed of late, and how long they are to be left alone. In
 * memory: a start forgets it. What stands against something is dropped with its first answer, or when it
 * was long ago. Each standing holds for the moment: the attempt that goes by it is to be watched in the
 * same turn, so that what is half-open gets one trial and no two.
 */
export class Health {
  readonly #channels = new Map<number, ChannelHealth>()
  readonly #listeners = new Set<(change: HealthChange) => void>()
  readonly #context: HealthContext

  constructor(settings: () => HealthSettings, clock: () => number = () => performance.now()) {
    const tell = (change: HealthChange) => {
      for (const listener of this.#listeners) listener(change)
    }
    this.#context = { settings, clock, tell }
  }

  /** Nothing stands against any part of the channel: there is no need to look further. */
  isUntroubled(channelId: number): boolean {
    return (this.#channels.get(channelId)?.troubles.size ?? 0) === 0
  }

  /** How one key of a channel stands for a model. */
  ofKey(channelId: number, key: string, model: string, now = this.#context.clock()): Standing {
    const channel = this.#channels.get(channelId)
    if (!channel || channel.troubles.size === 0) return OPEN
    const own = this.#standing(channel, OF_CHANNEL, now)
    return worse(own, this.ofKeyAlone(channelId, key, model, now))
  }

  /** The same, whatever stands against the channel as a whole: which of its keys is the better one. */
  ofKeyAlone(channelId: number, key: string, model: string, now = this.#context.clock()): Standing {
    const channel = this.#channels.get(channelId)
    if (!channel || channel.troubles.size === 0) return OPEN
    const ofThis = this.#standing(channel, ofKey(key), now)
    return worse(ofThis, this.#standing(channel, ofModel(key, model), now))
  }

  /** How a channel stands for a model (null = for any): as the best of the keys that it may be called with. */
  ofChannel(
    { id }: Pick<Channel, 'id'>,
    keys: readonly string[],
    model: string | null,
    now = this.#context.clock(),
  ): Standing {
    const channel = this.#channels.get(id)
    if (!channel || channel.troubles.size === 0) return OPEN
    let best: Standing | null = null
    for (const key of keys.length === 0 ? [''] : keys) {
      let standing = this.#standing(channel, ofKey(key), now)
      if (model !== null)
        standing = worse(standing, this.#standing(channel, ofModel(key, model), now))
      if (best === null || worse(best, standing) === best) best = standing
      if (best.state === 'open') break
    }
    return worse(this.#standing(channel, OF_CHANNEL, now), best ?? OPEN)
  }

  /** Begins to watch an attempt; where something is half-open, this attempt is its trial. */
  watch(channelId: number, key: string, model: string): Watch {
    return new HealthWatch(this.#context, this.#at(channelId), { id: channelId, key, model })
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
    const ended = [...channel.troubles].filter(([, trouble]) => isMeant(trouble.key))
    if (key === null) this.#channels.delete(channelId)
    else {
      channel.strikes.delete(key)
      for (const [name] of ended) channel.troubles.delete(name)
    }
    for (const [, trouble] of ended) {
      if (!trouble.hasCooled) continue
      this.#context.tell({
        channelId,
        key: trouble.key,
        model: trouble.model,
        standing: OPEN,
      })
    }
  }

  /** What stands against the parts of a channel now. */
  troubles(channelId: number, now = this.#context.clock()): PartOfHealth[] {
    const channel = this.#channels.get(channelId)
    if (!channel) return []
    const settings = this.#context.settings()
    return [...channel.troubles.values()]
      .filter((trouble) => !trouble.isOver(now, settings))
      .map((trouble) => ({
        key: trouble.key,
        model: trouble.model,
        failures: trouble.failures,
        reason: trouble.reason,
        standing: trouble.standing(now, settings),
      }))
  }

  /** What is known of a channel as a whole. */
  overview(channelId: number): HealthOverview {
    const channel = this.#channels.get(channelId)
    if (!channel) return { failures: 0, strikes: 0, calls: 0 }
    return {
      failures: channel.failures,
      strikes: Math.max(0, ...channel.strikes.values()),
      calls: channel.recent.count(this.#context.clock()),
    }
  }

  /** Told when something begins to be left alone or answers again; never for each call. Returns what ends it. */
  onChange(listener: (change: HealthChange) => void): () => void {
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

  #standing(channel: ChannelHealth, name: string, now: number): Standing {
    return channel.troubles.get(name)?.standing(now, this.#context.settings()) ?? OPEN
  }
}
