import { GatewayError } from '../../../base/errors.ts'

/** A background task on channels, one after the other: on all, or (re-test) on those that the gateway disabled. */
export type RoundKind = 'test' | 'balance' | 're-test'

const busy: Readonly<Record<RoundKind, string>> = {
  test: 'A test of all channels is already running. Try again when it has finished.',
  balance: 'A balance update is already running. Try again when it has finished.',
  're-test': 'A re-test of disabled channels is already running. Try again when it has finished.',
}

const busyReason = {
  test: 'test_round_running',
  balance: 'balance_round_running',
  're-test': 'retest_round_running',
} as const

/** Rounds over channels: of each kind one at a time, and all of them ended when the gateway stops. */
export class Rounds {
  readonly #running = new Map<RoundKind, AbortController>()

  /** Begins a round and gives its end; throws `conflict` at once while one of its kind is under way. */
  run(kind: RoundKind, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running.has(kind))
      throw new GatewayError('conflict', {
        message: busy[kind],
        reason: { code: busyReason[kind] },
      })
    const controller = new AbortController()
    this.#running.set(kind, controller)
    const working = (async () => work(controller.signal))()
    return working.finally(() => this.#running.delete(kind))
  }

  stop(): void {
    for (const controller of this.#running.values()) controller.abort()
  }
}

/** Works through a list, a few at a time, until the signal is given. */
export async function forEachOf<Item>(
  items: readonly Item[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  const workers = Array.from({ length: atOnce }, async () => {
    for (const item of left) {
      if (signal.aborted) return
      await work(item)
    }
  })
  await Promise.all(workers)
}
