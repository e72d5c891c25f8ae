import { GatewayError } from '../../base/errors.ts'
import { type Ticking, ticker } from '../../base/ticker.ts'
import type { Settings } from '../../store/state/settings.ts'
import { type Call, ownerOf } from '../call/call.ts'
import type { OpenCalls } from './open-calls.ts'

type Limits = Pick<Settings, 'MaxConcurrentCalls' | 'MaxWaitingCalls' | 'MaxWaitingSeconds'>

/** A call's record, as far as slots go. */
interface SlotHolder {
  hasSlot: boolean
  /** The wait is told in `waited_ms`. */
  readonly extra: Record<string, unknown>
}

/** A call that waits until another ends. */
interface Waiting extends Ticking {
  record: SlotHolder
  /** User whose turn it waits for. */
  owner: string
  /** `performance.now()` when it began to wait. */
  since: number
  let(): void
  refuse(error: GatewayError): void
}

/** Seconds after which a call that was refused may be sent again, where nothing is known of how calls end. */
const UNKNOWN_HINT = 5
const LONGEST_HINT = 60
/** Weight of the newest interval in the mean of those between two calls that end. */
const NEWEST = 0.2

/**
 * How many model calls may be under way at once (option `MaxConcurrentCalls`): what comes beyond waits for
 * its turn, and beyond `MaxWaitingCalls` or `MaxWaitingSeconds` is refused. Callers (a token, or a user of
 * the console) take turns, so that who sends hundreds of calls does not keep another's first one waiting
 * behind them. A call keeps its slot until it is booked, a realtime session until it ends, a connection of
 * Responses while a response is under way.
 */
export class CallSlots {
  readonly #limits: () => Readonly<Limits>
  #active = 0
  #waiting = 0
  /** By caller, in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>()
  /** Mean of milliseconds between two calls that ended while others waited; null while nobody did. */
  #pace: number | null = null
  #lastEnd: number | null = null

  constructor(limits: () => Readonly<Limits>, openCalls: Pick<OpenCalls, 'onRefusal'>) {
    this.#limits = limits
    openCalls.onRefusal((error) => this.#refuseAll(error))
  }

  /** Running calls. */
  get active(): number {
    return this.#active
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Takes a slot for a call, until `leave`. Null where one was free; else resolves when it is this call's turn,
   * and fails with `gateway_busy` when it was not in time, with the reason when the call is cancelled.
   */
  enter(call: Call, record: SlotHolder): Promise<void> | null {
    if (this.#waiting > 0 || !this.#hasRoom()) return this.#wait(call, record)
    this.#take(record)
    return null
  }

  /** Gives back the slot of a call that is booked; of one that has none, or gave it back, nothing happens. */
  leave(record: SlotHolder): void {
    if (!record.hasSlot) return
    record.hasSlot = false
    this.#active--
    if (this.#waiting === 0) return
    const now = performance.now()
    if (this.#lastEnd !== null) {
      const interval = now - this.#lastEnd
      this.#pace = this.#pace === null ? interval : this.#pace + NEWEST * (interval - this.#pace)
    }
    this.#lastEnd = now
    this.#letNext()
  }

  #hasRoom(): boolean {
    const { MaxConcurrentCalls: most } = this.#limits()
    return most === 0 || this.#active < most
  }

  #take(record: SlotHolder): void {
    record.hasSlot = true
    this.#active++
  }

  #wait(call: Call, record: SlotHolder): Promise<void> {
    const { MaxWaitingCalls: most, MaxWaitingSeconds: patience } = this.#limits()
    const owner = ownerOf(call)
    if (patience === 0 || (this.#waiting >= most && !this.#makeRoom(owner))) throw this.#busy()
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const waiting: Waiting = {
        slot: -1,
        record,
        owner,
        since,
        let: () => {
          this.#take(record)
          call.cancellation.listen(null)
          resolve()
        },
        refuse: (error) => {
          this.#remove(waiting)
          call.cancellation.listen(null)
          reject(error)
        },
        tick: (now) => {
          if (now - since >= patience * 1000) waiting.refuse(this.#busy())
          else this.#letNext()
        },
      }
      this.#add(waiting)
      call.cancellation.listen((reason) => waiting.refuse(reason))
    })
  }

  /** A place among those that wait for a caller who has fewer there than another: the other's last one goes. */
  #makeRoom(owner: string): boolean {
    const own = this.#queues.get(owner)?.length ?? 0
    let longest: Waiting[] = []
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue
    if (longest.length <= own + 1) return false
    longest.at(-1)?.refuse(this.#busy())
    return true
  }

  #add(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.owner)
    if (queue) queue.push(waiting)
    else this.#queues.set(waiting.owner, [waiting])
    this.#waiting++
    ticker.add(waiting)
  }

  #remove(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.owner)
    const index = queue?.indexOf(waiting) ?? -1
    if (!queue || index < 0) return
    queue.splice(index, 1)
    if (queue.length === 0) this.#queues.delete(waiting.owner)
    this.#waiting--
    ticker.remove(waiting)
    waiting.record.extra.waited_ms = Math.round(performance.now() - waiting.since)
    if (this.#waiting > 0) return
    this.#pace = null
    this.#lastEnd = null
  }

  /** Lets those in whose turn it is, as many as there is room for: one of each caller, then the next. */
  #letNext(): void {
    while (this.#waiting > 0 && this.#hasRoom()) {
      const [turn] = this.#queues
      const next = turn?.[1][0]
      if (!turn || !next) return
      const [owner, queue] = turn
      this.#queues.delete(owner)
      this.#queues.set(owner, queue)
      this.#remove(next)
      next.let()
    }
  }

  #refuseAll(error: GatewayError): void {
    for (const queue of [...this.#queues.values()]) {
      for (const waiting of [...queue]) waiting.refuse(error)
    }
  }

  #busy(): GatewayError {
    const { MaxConcurrentCalls: most, MaxWaitingSeconds: patience } = this.#limits()
    const seconds =
      this.#pace === null ? UNKNOWN_HINT : Math.ceil((this.#pace * (this.#waiting + 1)) / 1000)
    const retryAfter = Math.min(LONGEST_HINT, Math.max(1, seconds))
    return new GatewayError('gateway_busy', {
      message: `The gateway has ${this.#active} running calls, its limit (MaxConcurrentCalls: ${most}), and ${this.#waiting} waiting up to ${patience} s. Try again in ${retryAfter} s.`,
      reason: {
        ...{ code: 'calls_at_limit', running: this.#active, most, waiting: this.#waiting },
        ...{ patience, seconds: retryAfter },
      },
      retryAfter,
    })
  }
}
