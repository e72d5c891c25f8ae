import type { GatewayClient } from '../../../../gateway/client.ts'
import { bookedFigures } from '../../run/booked-figures.ts'
import type { Turn } from './chat-record.ts'
import { blankTurn, newId } from './chat-record.ts'
import { chatRequest } from './chat-request.ts'
import type { DeskState } from './desk-state.ts'
import { FrameBatch } from './frame-batch.ts'
import { ReplyRun } from './reply-run.ts'
import { threadTo } from './thread.ts'

/** Replies in a row that are asked for by fixed answers to tools alone. */
const MOST_ROUNDS = 8

/** The replies under way, one a column, shown once a frame however fast they come. */
export class Replies {
  readonly #client: GatewayClient
  readonly #desk: DeskState
  readonly #runs = new Map<string, { run: ReplyRun; turn: string }>()
  readonly #files = new Map<string, string>()
  readonly #frames = new FrameBatch(() => {
    for (const [key, { run, turn }] of this.#runs) {
      this.#desk.setTurn(key, turn, () => run.fields)
    }
  })

  constructor(client: GatewayClient, desk: DeskState) {
    this.#client = client
    this.#desk = desk
  }

  /** Base64 of files by their ids, as far as they were read. */
  get files(): Map<string, string> {
    return this.#files
  }

  /** Base64 of a file; null where it is gone. */
  async fileOf(id: string): Promise<string | null> {
    const data = this.#files.get(id) ?? (await this.#desk.store.file(id))
    if (data !== null) this.#files.set(id, data)
    return data
  }

  /** Asks for the turn after `parent`. */
  async ask(key: string, parent: string | null): Promise<void> {
    this.stop(key)
    const column = this.#desk.column(key)
    if (!column) return
    const { settings, turns } = column
    const { model } = settings
    const id = newId()
    const state = 'streaming'
    this.#desk.addTurn(key, { ...blankTurn, id, parent, role: 'assistant', state, model })
    const thread = threadTo(turns, parent)
    for (const { attachments } of thread) {
      for (const file of attachments) if (!this.#files.has(file.id)) await this.fileOf(file.id)
    }
    // It may have been stopped, or the conversation left, while files were read.
    if (this.#desk.turn(key, id)?.state !== state) return
    const run = new ReplyRun({
      client: this.#client,
      request: chatRequest(settings, thread, this.#files),
      onChange: () => this.#frames.ask(),
      onEnd: (fields) => this.#end(key, id, fields),
    })
    this.#runs.set(key, { run, turn: id })
    this.#desk.change({ isStreaming: true })
  }

  /** Ends a column’s call, or all of them. */
  stop(key?: string): void {
    this.#frames.now()
    for (const [column, { run, turn }] of [...this.#runs]) {
      if (key !== undefined && column !== key) continue
      this.#runs.delete(column)
      run.cancel()
      this.#desk.setTurn(column, turn, () => ({ ...run.fields, state: 'stopped' }))
      this.#lookUp(column, turn)
    }
    if (this.#desk.read().isStreaming) this.#tellRunning()
  }

  /** Shows at once all that came. */
  show(): void {
    this.#frames.now()
  }

  #tellRunning(): void {
    this.#desk.change({ isStreaming: this.#runs.size > 0 })
  }

  #end(key: string, id: string, fields: Partial<Turn>): void {
    if (this.#runs.get(key)?.turn !== id) return
    this.#runs.delete(key)
    const tools = this.#desk.column(key)?.settings.tools ?? []
    const calls = (fields.calls ?? []).map((call) => ({
      ...call,
      result: tools.find(({ name }) => name.trim() === call.name)?.fixed ?? null,
    }))
    this.#desk.setTurn(key, id, () => ({ ...fields, calls }))
    this.#tellRunning()
    this.#lookUp(key, id)
    const isAnswered = calls.length > 0 && calls.every(({ result }) => result !== null)
    if (fields.state === 'done' && isAnswered && this.#rounds(key, id) < MOST_ROUNDS) {
      void this.ask(key, id)
    }
  }

  /** Replies in a row that end here. */
  #rounds(key: string, id: string): number {
    const thread = threadTo(this.#desk.column(key)?.turns ?? [], id)
    return thread.length - 1 - thread.findLastIndex(({ role }) => role === 'user')
  }

  /** Its channel, cost and losses stand in the log once it is booked. */
  #lookUp(key: string, id: string): void {
    const requestId = this.#desk.turn(key, id)?.requestId
    const { record } = this.#desk.read()
    if (!requestId) return
    void bookedFigures(this.#client, requestId).then((booked) => {
      if (this.#desk.read().record.id === record.id) this.#desk.setTurn(key, id, () => ({ booked }))
    })
  }
}
