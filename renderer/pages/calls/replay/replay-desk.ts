import type { OperationInput, OperationOutput } from '../../../../preload/contract.ts'
import type { UnsavedForm } from '../../../components/leaving/use-unsaved.ts'
import type { GatewayClient } from '../../../gateway/client.ts'
import { createReplayReader, type ReplayEnd, type ReplayProgress } from './replay-answer.ts'

export type ReplayDraft = OperationOutput<'replay.draft'>

/** Columns side by side. */
export const MOST_COLUMNS = 4

/** Form of one column. */
export interface ReplayForm {
  /** Id of the channel; null = as the gateway routes it. */
  channel: string | null
  /** In place of the body's model; empty = as it stands there. */
  model: string
  stream: boolean
  body: string
}

export interface ReplayColumn extends ReplayForm {
  key: number
  phase: 'blank' | 'running' | 'cancelled' | 'done'
  progress: ReplayProgress | null
  failure: ReplayEnd['failure']
}

const noOutcome = { phase: 'blank', progress: null, failure: null } as const

/** The input of a replay: only what differs from the original is named. */
export function replayInput(
  capture: string,
  { channel, model, stream, body }: ReplayForm,
  draft: ReplayDraft,
): OperationInput<'replay.send'> {
  return {
    capture,
    ...(channel === null ? {} : { channel: Number(channel) }),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
    ...(stream === draft.stream ? {} : { stream }),
    ...(body === draft.body ? {} : { body }),
  }
}

/** The replays of one captured call. Outlives its page, so that nothing typed is lost on the way to another. */
export class ReplayDesk {
  readonly #client: GatewayClient
  readonly capture: string
  readonly #draft: ReplayDraft
  readonly #listeners = new Set<() => void>()
  readonly #cancels = new Map<number, () => void>()
  #columns: readonly ReplayColumn[]
  #nextKey = 2
  /** The request that each column sent last. */
  readonly #sent = new Map<number, string>()
  readonly unsaved: UnsavedForm = { isInDrawer: false, isKept: true }

  constructor(client: GatewayClient, capture: string, draft: ReplayDraft) {
    this.#client = client
    this.capture = capture
    this.#draft = draft
    const { stream, body } = draft
    this.#columns = [{ key: 1, channel: null, model: '', stream, body, ...noOutcome }]
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): readonly ReplayColumn[] => this.#columns

  get isFull(): boolean {
    return this.#columns.length >= MOST_COLUMNS
  }

  get isRunning(): boolean {
    return this.#columns.some(({ phase }) => phase === 'running')
  }

  /** Whether a column holds what was neither captured nor sent. */
  get isEdited(): boolean {
    return this.#columns.some((column) => {
      const asked = this.#asks(column)
      const isUnsent = asked !== this.#sent.get(column.key)
      return isUnsent && asked !== JSON.stringify({ capture: this.capture })
    })
  }

  #asks(column: ReplayForm): string {
    return JSON.stringify(replayInput(this.capture, column, this.#draft))
  }

  fill(key: number, fields: Partial<ReplayForm>): void {
    this.#change(key, fields)
  }

  /** Another column that begins as the last one stands. */
  add(): void {
    const last = this.#columns.at(-1)
    if (!last || this.isFull) return
    this.#show([...this.#columns, { ...last, key: this.#nextKey++, ...noOutcome }])
  }

  remove(key: number): void {
    if (this.#columns.length === 1) return
    this.cancel(key)
    this.#show(this.#columns.filter((column) => column.key !== key))
  }

  send(key: number): void {
    const column = this.#columns.find((one) => one.key === key)
    if (!column || column.phase === 'running') return
    this.#change(key, { ...noOutcome, phase: 'running' })
    const read = createReplayReader({
      onProgress: (progress) => this.#change(key, { progress }),
      onEnd: ({ failure, ...progress }) => {
        this.#cancels.delete(key)
        this.#change(key, { phase: 'done', progress, failure })
      },
    })
    const input = replayInput(this.capture, column, this.#draft)
    this.#sent.set(key, JSON.stringify(input))
    this.#cancels.set(key, this.#client.stream('replay.send', input, read))
  }

  sendAll(): void {
    for (const { key } of this.#columns) this.send(key)
  }

  cancel(key: number): void {
    const end = this.#cancels.get(key)
    if (!end) return
    this.#cancels.delete(key)
    end()
    this.#change(key, { phase: 'cancelled' })
  }

  cancelAll(): void {
    for (const { key } of this.#columns) this.cancel(key)
  }

  #change(key: number, fields: Partial<ReplayColumn>): void {
    this.#show(this.#columns.map((one) => (one.key === key ? { ...one, ...fields } : one)))
  }

  #show(columns: readonly ReplayColumn[]): void {
    this.#columns = columns
    for (const listener of this.#listeners) listener()
  }
}

const desks = new WeakMap<GatewayClient, Map<string, ReplayDesk>>()

/** The desk of a captured call; the same as long as the console is open. */
export function deskOf(client: GatewayClient, capture: string, draft: ReplayDraft): ReplayDesk {
  const own = desks.get(client) ?? new Map<string, ReplayDesk>()
  desks.set(client, own)
  const desk = own.get(capture) ?? new ReplayDesk(client, capture, draft)
  own.set(capture, desk)
  return desk
}
