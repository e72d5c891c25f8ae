const MINUTE = 60_000
/** Minutes before the first re-test; each that is not passed doubles them, up to the longest. */
const FIRST = 1
const LONGEST = 60
/** A wait is up to this much longer, so that what was disabled together is not tested together. */
const JITTER = 0.2

/** Something that the gateway disabled: a channel, or one key of it. */
export interface Disabled {
  channelId: number
  /** Null: the channel as a whole. */
  key: string | null
}

interface Planned {
  disabled: Disabled
  dueAt: number
  /** Re-tests that were not passed. */
  failed: number
  /** When the last one was passed; null while there is one ahead. */
  passedAt: number | null
}

const nameOf = ({ channelId, key }: Disabled): string => `${channelId}\n${key ?? ''}`

function wait(failed: number): number {
  const minutes = Math.min(FIRST * 2 ** Math.min(failed, 10), LONGEST)
  return minutes * MINUTE * (1 + JITTER * Math.random())
}

/**
 * When what the gateway disabled is to be tested again: after one minute, then two, four … sixty. In
 * memory: after a start it begins with one minute. Times are milliseconds of the monotonic clock.
 */
export class RetestPlan {
  readonly #planned = new Map<string, Planned>()

  /** Takes up what is disabled and lets go of what is so no more. */
  follow(disabled: readonly Disabled[], now: number): void {
    const names = new Set(disabled.map(nameOf))
    for (const [name, { passedAt }] of this.#planned) {
      // A channel disabled soon after a passed test keeps its place in the plan: else it would flap.
      const isRecent = passedAt !== null && now - passedAt < LONGEST * MINUTE
      if (!names.has(name) && !isRecent) this.#planned.delete(name)
    }
    for (const one of disabled) this.dueAt(one, now)
  }

  /** When something that is disabled is to be tested. */
  dueAt(disabled: Disabled, now: number): number {
    const name = nameOf(disabled)
    let planned = this.#planned.get(name)
    if (!planned) {
      planned = { disabled, dueAt: now + wait(0), failed: 0, passedAt: null }
      this.#planned.set(name, planned)
    } else if (planned.passedAt !== null) {
      planned.passedAt = null
      planned.failed++
      planned.dueAt = now + wait(planned.failed)
    }
    return planned.dueAt
  }

  /** The parts that are due: of each channel the one that waited longest. */
  due(now: number): Disabled[] {
    const first = new Map<number, Planned>()
    for (const planned of this.#planned.values()) {
      if (planned.passedAt !== null || planned.dueAt > now) continue
      const other = first.get(planned.disabled.channelId)
      if (!other || planned.dueAt < other.dueAt) first.set(planned.disabled.channelId, planned)
    }
    return [...first.values()].map(({ disabled }) => disabled)
  }

  /** Notes how a re-test went. */
  tested(disabled: Disabled, hasPassed: boolean, now: number): void {
    const planned = this.#planned.get(nameOf(disabled))
    if (!planned) return
    if (hasPassed) {
      planned.passedAt = now
      return
    }
    planned.failed++
    planned.dueAt = now + wait(planned.failed)
  }

  clear(): void {
    this.#planned.clear()
  }
}
