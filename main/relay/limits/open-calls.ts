import type { GatewayError } from '../../base/errors.ts'
import { SlotList, type Slotted } from '../../base/order/slot-list.ts'
import type { OpenCallRow } from '../../store/ledger/ledger.ts'

export interface OpenCall extends Slotted {
  /** The request's id. */
  readonly id: string
  /** User of the call. */
  readonly userId: number
  /** `performance.now()` when the call arrived. */
  readonly since: number
  /** `performance.now()` when it was last kept against a sudden end of the process; 0 = never. */
  keptAt: number
  /** The row that it leaves if the process ends now. */
  soFar(): OpenCallRow
  /** Ends the call with a last word in the client's format, and books it. */
  interrupt(error: GatewayError): void
}

/** Hears that no new calls will be taken. */
interface Watcher extends Slotted {
  tell(error: GatewayError): void
}

/** The running calls, so that stopping the gateway can end each with an error. */
export class OpenCalls {
  readonly #members = new SlotList<OpenCall>()
  readonly #watchers = new SlotList<Watcher>()
  readonly #listeners = new Set<() => void>()
  #onEmpty: (() => void) | null = null
  #refusal: GatewayError | null = null

  /** Why no new call is taken any more, or null. */
  get refusal(): GatewayError | null {
    return this.#refusal
  }

  get size(): number {
    return this.#members.size
  }

  add(call: OpenCall): void {
    this.#members.add(call)
    for (const listener of this.#listeners) listener()
  }

  remove(call: OpenCall): void {
    this.#members.remove(call)
    if (this.#members.size === 0) this.#onEmpty?.()
    for (const listener of this.#listeners) listener()
  }

  /** Calls the listener whenever a call begins or ends; returns what ends that. It must be quick. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** From now on new calls are refused with this error; those under way go on. */
  refuseNew(error: GatewayError): void {
    this.#refusal = error
    this.#watchers.each(({ tell }) => tell(error))
  }

  /** For what stays open between calls: `tell` hears when there will be none any more. Gives its own end. */
  onRefusal(tell: (error: GatewayError) => void): () => void {
    const watcher: Watcher = { slot: -1, tell }
    this.#watchers.add(watcher)
    return () => this.#watchers.remove(watcher)
  }

  each(visit: (call: OpenCall) => void): void {
    this.#members.each(visit)
  }

  find(id: string): OpenCall | null {
    let found: OpenCall | null = null
    this.#members.each((call) => {
      if (call.id === id) found = call
    })
    return found
  }

  /** Resolves when the call is over and booked, at the latest after `limit` milliseconds. */
  whenOver(call: OpenCall, limit: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(end, limit)
      const forget = this.onChange(() => {
        if (call.slot < 0) end()
      })
      if (call.slot < 0) end()
    })
  }

  interruptAll(error: GatewayError): void {
    this.#members.each((call) => call.interrupt(error))
  }

  /** Lets who waits until no call is under way go on at once. */
  hurry(): void {
    this.#onEmpty?.()
  }

  /** Resolves when no call is under way, at the latest after `limit` milliseconds. */
  whenEmpty(limit: number): Promise<void> {
    if (this.#members.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limit)
      this.#onEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
