import type { GatewayClient } from '../../../gateway/client.ts'
import { createReplayReader, type ReplayEnd, type ReplayProgress } from './replay-answer.ts'

/** Replays under way at once. */
const AT_ONCE = 4

/** One call of a batch. */
export interface BatchEntry {
  phase: 'waiting' | 'running' | 'cancelled' | 'done'
  progress: ReplayProgress | null
  failure: ReplayEnd['failure']
}

export interface BatchState {
  /** By the original's request id. */
  entries: ReadonlyMap<string, BatchEntry>
  isRunning: boolean
}

const none: BatchState = { entries: new Map(), isRunning: false }

/** Replays many calls, a few at once. Outlives its page. */
export class ReplayBatch {
  readonly #client: GatewayClient
  readonly #listeners = new Set<() => void>()
  readonly #cancels = new Map<string, () => void>()
  #state = none
  #waiting: string[] = []
  #target: { channel?: number; model?: string } = {}

  constructor(client: GatewayClient) {
    this.#client = client
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): BatchState => this.#state

  /** Replays these calls; a batch under way is cancelled. */
  run(captures: readonly string[], target: { channel: string | null; model: string }): void {
    this.cancel()
    const model = target.model.trim()
    this.#target = {
      ...(target.channel === null ? {} : { channel: Number(target.channel) }),
      ...(model === '' ? {} : { model }),
    }
    this.#waiting = [...captures]
    const blank: BatchEntry = { phase: 'waiting', progress: null, failure: null }
    this.#show(new Map(captures.map((capture) => [capture, blank])))
    this.#fillUp()
  }

  /** Ends those under way, and begins no more. */
  cancel(): void {
    const open = [...this.#waiting, ...this.#cancels.keys()]
    this.#waiting = []
    for (const end of this.#cancels.values()) end()
    this.#cancels.clear()
    const entries = new Map(this.#state.entries)
    for (const capture of open) {
      const entry = entries.get(capture)
      if (entry) entries.set(capture, { ...entry, phase: 'cancelled' })
    }
    if (open.length > 0) this.#show(entries)
  }

  #fillUp(): void {
    while (this.#cancels.size < AT_ONCE) {
      const capture = this.#waiting.shift()
      if (capture === undefined) return
      this.#begin(capture)
    }
  }

  #begin(capture: string): void {
    const read = createReplayReader({
      onProgress: (progress) => this.#change(capture, { progress }),
      onEnd: ({ failure, ...progress }) => {
        this.#cancels.delete(capture)
        this.#change(capture, { phase: 'done', progress, failure })
        this.#fillUp()
      },
    })
    this.#cancels.set(capture, () => {})
    this.#change(capture, { phase: 'running' })
    const input = { capture, ...this.#target }
    this.#cancels.set(capture, this.#client.stream('replay.send', input, read))
  }

  #change(capture: string, fields: Partial<BatchEntry>): void {
    const entry = this.#state.entries.get(capture)
    if (!entry) return
    this.#show(new Map(this.#state.entries).set(capture, { ...entry, ...fields }))
  }

  #show(entries: ReadonlyMap<string, BatchEntry>): void {
    this.#state = { entries, isRunning: this.#cancels.size + this.#waiting.length > 0 }
    for (const listener of this.#listeners) listener()
  }
}

const batches = new WeakMap<GatewayClient, ReplayBatch>()

/** The batch of this console; the same as long as it is open. */
export function batchOf(client: GatewayClient): ReplayBatch {
  const batch = batches.get(client) ?? new ReplayBatch(client)
  batches.set(client, batch)
  return batch
}
