import type { Incident } from './incident.ts'

/** Milliseconds for which a cause must have been gone before it counts as a new one: what flaps is told once. */
const QUIET = 600_000
/** Causes in memory; the oldest gives way. */
const MOST = 1_000

interface Known {
  incident: Incident
  /** Milliseconds of the clock; null while it lasts. */
  resolvedAt: number | null
}

/** Open incidents. Each is reported once until it was resolved for a while. Kept in memory only. */
export class Incidents {
  readonly #known = new Map<string, Known>()
  readonly #listeners = new Set<(incident: Incident) => void>()
  readonly #clock: () => number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Calls the listener for every incident that is new; returns what ends that. */
  on(listener: (incident: Incident) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  raise(incident: Incident): void {
    const { cause } = incident
    const before = this.#known.get(cause)
    const isKnown =
      before !== undefined &&
      (before.resolvedAt === null || this.#clock() < before.resolvedAt + QUIET)
    this.#known.delete(cause)
    this.#known.set(cause, { incident, resolvedAt: null })
    if (isKnown) return
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest)
    for (const listener of this.#listeners) listener(incident)
  }

  /** It works again, as far as can be told. */
  resolve(cause: string): void {
    const known = this.#known.get(cause)
    if (known) known.resolvedAt ??= this.#clock()
  }

  /** A person has changed the channel: what goes wrong from now on is another cause. */
  forgetChannel(channelId: number): void {
    for (const [cause, { incident }] of this.#known) {
      if ('channelId' in incident && incident.channelId === channelId) this.#known.delete(cause)
    }
  }

  /** Is a key of this channel known to be refused, without an answer since? */
  hasRefusedKey(channelId: number): boolean {
    for (const { incident, resolvedAt } of this.#known.values()) {
      if (
        incident.kind === 'key-refused' &&
        incident.channelId === channelId &&
        resolvedAt === null
      )
        return true
    }
    return false
  }
}
