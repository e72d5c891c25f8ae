import type { GatewayClient } from '../../../../gateway/client.ts'
import { noAnswer } from '../../run/answer-failure.ts'
import { bookedFigures } from '../../run/booked-figures.ts'
import { type Attachment, blankTurn, newId, type Turn } from './chat-record.ts'
import { chatRequest, isBroken } from './chat-request.ts'
import type { DeskState } from './desk-state.ts'
import { FrameBatch } from './frame-batch.ts'
import { ReplyRun } from './reply-run.ts'
import { threadOf, threadTo } from './thread.ts'

/** Replies in a row that are asked for by fixed answers to tools alone. */
const MOST_ROUNDS = 8

interface Reply {
  /** Id of its turn. */
  turn: string
  /** Null while files are read: nothing is sent yet. */
  run: ReplyRun | null
}

/** The replies under way, one a column, shown once a frame however fast they come. */
export class Replies {
  readonly #client: GatewayClient
  readonly #desk: DeskState
  readonly #replies = new Map<string, Reply>()
  readonly #files = new Map<string, string>()
  readonly #frames = new FrameBatch(() => {
    for (const [key, { run, turn }] of this.#replies) {
      if (run) this.#desk.setTurn(key, turn, () => run.fields)
    }
  })

  constructor(client: GatewayClient, desk: DeskState) {
    this.#client = client
    this.#desk = desk
  }

  /** Base64 of a file that was read. */
  readonly dataOf = ({ id }: Attachment): string => this.#files.get(id) ?? ''

  /** Of a file that was just attached. */
  addFile(id: string, data: string): void {
    this.#files.set(id, data)
  }

  /** Base64 of a file; null where it is gone. */
  async fileOf(id: string): Promise<string | null> {
    const data = this.#files.get(id) ?? (await this.#desk.store.file(id).catch(() => null))
    if (data !== null) this.#files.set(id, data)
    return data
  }

  /** Name of the first file of the turns that is gone; null where all were read. */
  async readFiles(turns: readonly Turn[]): Promise<string | null> {
    for (const { id, name } of turns.flatMap(({ attachments }) => attachments)) {
      if ((await this.fileOf(id)) === null) return name
    }
    return null
  }

  /** Asks for the turn after `parent`. */
  async ask(key: string, parent: string | null): Promise<void> {
    this.stop(key)
    const column = this.#desk.column(key)
    if (!column) return
    const { settings, turns } = column
    const { model } = settings
    const id = newId()
    this.#desk.addTurn(key, {
      ...{ ...blankTurn, id, parent, model },
      ...{ role: 'assistant', state: 'streaming' },
    })
    const reply: Reply = { turn: id, run: null }
    this.#replies.set(key, reply)
    this.#desk.change({ isStreaming: true })
    // The message's field refuses them too; an earlier message is sent again without it.
    if (isBroken(settings)) {
      const failure = { ...noAnswer, problem: 'settings' } as const
      this.#end(key, id, { state: 'failed', failure })
      return
    }
    const thread = threadTo(turns, parent)
    const gone = await this.readFiles(thread)
    // It may have been stopped, or asked again, while files were read.
    if (this.#replies.get(key) !== reply) return
    if (gone !== null) {
      const failure = { ...noAnswer, problem: 'file', message: gone } as const
      this.#end(key, id, { state: 'failed', failure })
      return
    }
    reply.run = new ReplyRun({
      client: this.#client,
      request: chatRequest(settings, thread, this.dataOf),
      onChange: () => this.#frames.ask(),
      onEnd: (fields) => this.#end(key, id, fields),
    })
  }

  /** Ends a column’s call, or all of them. */
  stop(key?: string): void {
    this.#frames.now()
    for (const [column, { run, turn }] of [...this.#replies]) {
      if (key !== undefined && column !== key) continue
      this.#replies.delete(column)
      run?.cancel()
      this.#desk.setTurn(column, turn, () => ({ ...run?.fields, state: 'stopped' }))
      this.#lookUp(run?.fields.requestId)
    }
    if (this.#desk.read().isStreaming) this.#tellRunning()
  }

  /** Shows at once all that came. */
  show(): void {
    this.#frames.now()
  }

  /** Looks up what was not booked yet when the conversation was left. */
  lookUpAll(): void {
    const turns = this.#desk.read().record.columns.flatMap(threadOf)
    const open = turns.filter(({ booked, state }) => booked === null && state !== 'streaming')
    for (const id of new Set(open.map(({ requestId }) => requestId))) this.#lookUp(id)
  }

  #tellRunning(): void {
    this.#desk.change({ isStreaming: this.#replies.size > 0 })
  }

  #end(key: string, id: string, fields: Partial<Turn>): void {
    if (this.#replies.get(key)?.turn !== id) return
    this.#replies.delete(key)
    const tools = this.#desk.column(key)?.settings.tools ?? []
    const calls = (fields.calls ?? []).map((call) => ({
      ...call,
      result: tools.find(({ name }) => name.trim() === call.name)?.fixed ?? null,
    }))
    this.#desk.setTurn(key, id, () => ({ ...fields, calls }))
    this.#tellRunning()
    this.#lookUp(fields.requestId)
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
  #lookUp(requestId: string | null | undefined): void {
    if (!requestId) return
    void bookedFigures(this.#client, requestId).then((booked) => {
      if (booked) this.#desk.setBooked(requestId, booked)
    })
  }
}
