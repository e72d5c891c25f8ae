import { type ChatRecord, type Column, newRecord, type Turn } from './chat-record.ts'
import type { ChatStore, Draft } from './chat-store.ts'

export interface ChatState {
  record: ChatRecord
  draft: Draft
  /** The column whose settings the panel shows. */
  active: string
  isStreaming: boolean
  /** A file that was refused, and why. */
  refusedFile: { name: string; why: 'kind' | 'size' } | null
}

/** Milliseconds after which a change is saved. */
const SAVING = 400
const blankDraft: Draft = { text: '', attachments: [] }

export const idle = (turn: Turn): Turn =>
  turn.state === 'streaming' ? { ...turn, state: 'stopped' } : turn

/** A reply that was under way when the page was left is as far as it came. */
const withoutRunning = (record: ChatRecord): ChatRecord => ({
  ...record,
  columns: record.columns.map((column) => ({ ...column, turns: column.turns.map(idle) })),
})

function viewOf(record: ChatRecord, draft: Draft): ChatState {
  const active = record.columns[0]?.key ?? ''
  return { record, draft, active, isStreaming: false, refusedFile: null }
}

/** The open conversation, told to who listens and kept in the store. */
export class DeskState {
  readonly store: ChatStore
  readonly #listeners = new Set<() => void>()
  #state: ChatState
  #saving: ReturnType<typeof setTimeout> | null = null

  private constructor(store: ChatStore, state: ChatState) {
    this.store = store
    this.#state = state
  }

  /** With the conversation that was open last. */
  static async open(store: ChatStore): Promise<DeskState> {
    const [id, records] = await Promise.all([store.current(), store.all()])
    const known = records.find((record) => record.id === id)
    const record = known ? withoutRunning(known) : newRecord()
    const desk = new DeskState(store, viewOf(record, (await store.draft(record.id)) ?? blankDraft))
    if (!known) await desk.#keepNew(record)
    return desk
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): ChatState => this.#state

  /** Opens a conversation of the store; null where it is gone. */
  async load(id: string): Promise<ChatRecord | null> {
    const records = await this.store.all()
    const found = records.find((record) => record.id === id)
    if (!found) return null
    const record = withoutRunning(found)
    const draft = (await this.store.draft(id)) ?? blankDraft
    this.#leave()
    this.#show(viewOf(record, draft))
    await this.store.saveCurrent(id)
    return record
  }

  /** Goes on with a new conversation. */
  begin(record: ChatRecord): void {
    this.#leave()
    this.#show(viewOf(record, blankDraft))
    void this.#keepNew(record)
  }

  setDraft(draft: Draft): void {
    this.change({ draft })
    // At once: a reload loses no letter.
    void this.store.saveDraft(this.#state.record.id, draft)
  }

  clearDraft(): void {
    this.setDraft(blankDraft)
  }

  column(key: string): Column | undefined {
    return this.#state.record.columns.find((column) => column.key === key)
  }

  turn(key: string, id: string): Turn | undefined {
    return this.column(key)?.turns.find((turn) => turn.id === id)
  }

  addTurn(key: string, turn: Turn): void {
    this.setColumn(key, ({ turns }) => ({ turns: [...turns, turn], leaf: turn.id }))
  }

  setTurn(key: string, id: string, fields: (turn: Turn) => Partial<Turn>): void {
    this.setColumn(key, ({ turns }) => ({
      turns: turns.map((turn) => (turn.id === id ? { ...turn, ...fields(turn) } : turn)),
    }))
  }

  setColumn(key: string, fields: (column: Column) => Partial<Column>): void {
    this.setColumns(
      this.#state.record.columns.map((column) =>
        column.key === key ? { ...column, ...fields(column) } : column,
      ),
    )
  }

  setColumns(columns: readonly Column[]): void {
    const isThere = columns.some(({ key }) => key === this.#state.active)
    const active = isThere ? this.#state.active : (columns[0]?.key ?? '')
    this.setRecord({ columns }, { active })
  }

  setRecord(fields: Partial<ChatRecord>, beside: Partial<ChatState> = {}): void {
    const record = { ...this.#state.record, ...fields, updatedAt: Date.now() }
    this.change({ record, ...beside })
    this.#saving ??= setTimeout(() => this.flush(), SAVING)
  }

  change(fields: Partial<ChatState>): void {
    this.#show({ ...this.#state, ...fields })
  }

  /** Saves at once, as before the page goes away. */
  flush(): void {
    if (this.#saving === null) return
    clearTimeout(this.#saving)
    this.#saving = null
    void this.store.save(this.#state.record)
  }

  async #keepNew(record: ChatRecord): Promise<void> {
    await this.store.save(record)
    await this.store.saveCurrent(record.id)
  }

  /** One in which nothing was ever said or typed is not kept. */
  #leave(): void {
    this.flush()
    const { record, draft } = this.#state
    const isUsed = record.columns.some(({ turns }) => turns.length > 0)
    if (!isUsed && draft.text === '' && draft.attachments.length === 0) {
      void this.store.remove(record.id)
    }
  }

  #show(state: ChatState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
