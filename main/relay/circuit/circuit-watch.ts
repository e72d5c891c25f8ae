import { type HealthFailure, type HealthSettings, OPEN, type Standing, Trouble } from './circuit.ts'
import { type MinuteOfCalls, RecentCalls } from './health-stats.ts'

/** Troubles of one channel's keys and models that are kept; the oldest make room for new ones. */
const MOST_TROUBLES = 1000

// A key is one line of text, so that no two of these names are the same.
/** The name of what stands against a whole channel. */
export const OF_CHANNEL = 'channel'
/** The name of what stands against a key. */
export const ofKey = (key: string): string => `key\n${key}`
/** The name of what stands against a key's use of a model. */
export const ofModel = (key: string, model: string): string => `model\n${key}\n${model}`

/** What begins to be left alone, or has answered again: a channel, a key of it, that key's use of a model. */
export interface HealthChange {
  channelId: number
  key: string | null
  model: string | null
  /** Cooling when it begins, open when it was answered. */
  standing: Standing
}

/** What all attempts of one gateway share. */
export interface HealthContext {
  settings(): HealthSettings
  /** Milliseconds, as of `performance.now()`. */
  clock(): number
  tell(change: HealthChange): void
}

/** All that is known of one channel; attempts that began before it was forgotten go on reporting to the old one. */
export class ChannelHealth {
  readonly troubles = new Map<string, Trouble>()
  /** By key (null = whatever the key): failures by the rule for disabling since the last answer. */
  readonly strikes = new Map<string | null, number>()
  readonly recent = new RecentCalls()
  /** Failures of any kind since the last answer. */
  failures = 0

  /** Adds a trouble as the newest one; the oldest go, where they are over or too many. */
  add(name: string, trouble: Trouble, now: number, settings: HealthSettings): void {
    const { troubles } = this
    troubles.delete(name)
    for (const [oldest, one] of troubles) {
      if (troubles.size < MOST_TROUBLES && !one.isOver(now, settings)) break
      troubles.delete(oldest)
    }
    troubles.set(name, trouble)
  }
}

/** What an attempt tells of how it went. Each counts once; `release` always, at its end. */
export interface Watch {
  /** The upstream has begun to answer well. */
  answered(): void
  /** Also after `answered` and `release`: an answer that was cut. */
  failed(failure: HealthFailure): void
  /** The attempt is over; a trial that has shown nothing may be made by the next call. */
  release(): void
}

/** Watches one attempt at a channel. Where something is half-open the attempt is its trial, and no other one is. */
export class HealthWatch implements Watch {
  readonly #context: HealthContext
  readonly #channel: ChannelHealth
  readonly #id: number
  readonly #key: string
  readonly #model: string
  readonly #began: number
  #answer: { minute: MinuteOfCalls; waited: number } | null = null
  #hasFailed = false
  /** What its answer ended, which a cut of that answer brings back. */
  #ended: Map<string, Trouble> | null = null

  constructor(
    context: HealthContext,
    channel: ChannelHealth,
    { id, key, model }: { id: number; key: string; model: string },
  ) {
    this.#context = context
    this.#channel = channel
    this.#id = id
    this.#key = key
    this.#model = model
    this.#began = context.clock()
    if (channel.troubles.size === 0) return
    const settings = context.settings()
    for (const [, trouble] of this.#against()) {
      const { state } = trouble.standing(this.#began, settings)
      if (state === 'half-open') trouble.beginTrial(this, this.#began)
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
    if (channel.troubles.size === 0) return
    for (const [name, trouble] of this.#against()) {
      // What began before the cooldown did was let in before things went wrong.
      if (trouble.hasCooled && this.#began < trouble.coolSince) continue
      channel.troubles.delete(name)
      this.#ended ??= new Map()
      this.#ended.set(name, trouble)
      if (trouble.hasCooled) this.#tell(trouble, OPEN)
    }
  }

  failed(failure: HealthFailure): void {
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
    const trouble = this.#troubleOf(failure, now, settings)
    trouble.endTrial(this)
    // Some vendors quote the key that they refuse.
    const reason = this.#key === '' ? failure.reason : failure.reason.replaceAll(this.#key, '***')
    if (trouble.fail({ ...failure, reason }, this.#began, now, settings)) {
      this.#tell(trouble, trouble.standing(now, settings))
    }
  }

  release(): void {
    if (this.#channel.troubles.size === 0) return
    for (const [, trouble] of this.#against()) trouble.endTrial(this)
  }

  /** What a failure adds to: what stands there already, what its own answer had ended, or something new. */
  #troubleOf({ blame }: HealthFailure, now: number, settings: HealthSettings): Trouble {
    const { troubles } = this.#channel
    const name =
      blame === 'channel'
        ? OF_CHANNEL
        : blame === 'key'
          ? ofKey(this.#key)
          : ofModel(this.#key, this.#model)
    const before = troubles.get(name) ?? this.#ended?.get(name)
    const trouble =
      before && !before.isOver(now, settings)
        ? before
        : new Trouble(
            blame === 'channel' ? null : this.#key,
            blame === 'model' ? this.#model : null,
          )
    this.#channel.add(name, trouble, now, settings)
    return trouble
  }

  /** What stands against the channel, the key and the model of this attempt. */
  *#against(): Generator<[string, Trouble]> {
    for (const name of [OF_CHANNEL, ofKey(this.#key), ofModel(this.#key, this.#model)]) {
      const trouble = this.#channel.troubles.get(name)
      if (trouble) yield [name, trouble]
    }
  }

  #tell({ key, model }: Trouble, standing: Standing): void {
    this.#context.tell({ channelId: this.#id, key, model, standing })
  }
}
