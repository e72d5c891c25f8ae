import type { BookedFigures } from '../../run/booked-figures.ts'
import { withSplitThought } from '../stream/split-thought.ts'
import {
  blankSettings,
  type ChatRecord,
  type Column,
  newId,
  newRecord,
  type Turn,
} from './chat-record.ts'
import { blankDraft, type ChatStore, type Draft } from './chat-store.ts'
import { claimConversation, type Release } from './claim-conversation.ts'
import { copyNameOf } from './thread.ts'

/** A column that was taken away, and its place. */
export interface RemovedColumn {
  column: Column
  at: number
}

export interface ChatState {
  record: ChatRecord
  draft: Draft
  /** The column whose settings the panel shows. */
  active: string
  isStreaming: boolean
  /** Can be put back, in this order. */
  removed: readonly RemovedColumn[]
  /** Of a conversation that is open in another tab. */
  isCopy: boolean
  /** The browser refused to keep what came last: it has no room left. */
  isUnsaved: boolean
  /** Of the files that were attached last. */
  refusedFiles: readonly RefusedFile[]
}

export interface RefusedFile {
  name: string
  why: 'empty' | 'kind' | 'encoding' | 'size' | 'room'
}

/** Milliseconds after which a change is saved. */
const SAVING = 400

export const idle = (turn: Turn): Turn =>
  turn.state === 'streaming' ? { ...turn, state: 'stopped' } : turn

/** As it was kept: settings that there were not yet are blank, a reply that was under way is as far as it came. */
const restored = (record: ChatRecord): ChatRecord => ({
  ...record,
  columns: record.columns.map((column) => ({
    ...column,
    settings: { ...blankSettings, ...column.settings },
    turns: column.turns.map((turn) => withSplitThought(idle(turn))),
  })),
})

function viewOf(record: ChatRecord, draft: Draft, isCopy = false): ChatState {
  const active = record.columns[0]?.key ?? ''
  return {
    ...{ record, draft, active, isCopy, isStreaming: false, isUnsaved: false },
    ...{ removed: [], refusedFiles: [] },
  }
}

/** A new conversation with the same columns. */
export const emptyLike = ({ columns }: ChatRecord): ChatRecord => ({
  ...newRecord(),
  columns: columns.map(({ settings }) => ({ key: newId(), settings, turns: [], leaf: null })),
})

/** The open conversation, told to who listens and kept in the store. */
export class DeskState {
  readonly store: ChatStore
  readonly #listeners = new Set<() => void>()
  #state: ChatState
  #saving: ReturnType<typeof setTimeout> | null = null
  #claim: Promise<Release | null>

  private constructor(store: ChatStore, state: ChatState, claim: Promise<Release | null>) {
    this.store = store
    this.#state = state
    this.#claim = claim
  }

  /** With the conversation that was open last, or a new one where another tab has that. */
  static async open(store: ChatStore): Promise<DeskState> {
    const id = await store.current()
    const claim = id === null ? null : await claimConversation(id)
    const last = (await store.all()).find((record) => record.id === id)
    if (last && claim) {
      const draft = await store.draft(last.id)
      return new DeskState(store, viewOf(restored(last), draft), Promise.resolve(claim))
    }
    claim?.()
    const record = last ? emptyLike(restored(last)) : newRecord()
    const desk = new DeskState(store, viewOf(record, blankDraft), claimConversation(record.id))
    desk.#keepNew(record)
    return desk
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): ChatState => this.#state

  /** Opens a conversation of the store, or a copy of one that another tab has. */
  async load(id: string): Promise<void> {
    if (id === this.#state.record.id) return
    const claim = await claimConversation(id)
    const all = await this.store.all()
    const found = all.find((record) => record.id === id)
    if (!found) return claim?.()
    const record = restored(found)
    const draft = await this.store.draft(id)
    if (!claim) {
      const copy = { ...record, id: newId(), name: copyNameOf(record, all) }
      this.begin(copy, { isCopy: true })
      // Its files are deleted with the other tab's message.
      return this.setDraft({ ...blankDraft, text: draft.text })
    }
    this.#leave(Promise.resolve(claim))
    this.#show(viewOf(record, draft))
    this.#keep(this.store.saveCurrent(id))
  }

  /** Goes on with a new conversation. */
  begin(record: ChatRecord, { isCopy = false } = {}): void {
    this.#leave(claimConversation(record.id))
    this.#show(viewOf(record, blankDraft, isCopy))
    this.#keepNew(record)
  }

  setDraft(draft: Draft): void {
    this.change({ draft })
    // At once: a reload loses no letter.
    this.#keep(this.store.saveDraft(this.#state.record.id, draft))
  }

  clearMessage(): void {
    this.setDraft({ ...this.#state.draft, text: '', attachments: [] })
  }

  /** The text of a turn that is being edited; null ends that. */
  setEdit(edit: string, text: string | null): void {
    const { [edit]: _, ...others } = this.#state.draft.edits
    const edits = text === null ? others : { ...others, [edit]: text }
    this.setDraft({ ...this.#state.draft, edits })
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

  /** Of each reply of a call: a column that was added since has a copy of it. */
  setBooked(requestId: string, booked: BookedFigures): void {
    for (const { key, turns } of this.#state.record.columns) {
      for (const turn of turns) {
        if (turn.requestId === requestId) this.setTurn(key, turn.id, () => ({ booked }))
      }
    }
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
    this.#keep(this.store.save(this.#state.record))
  }

  #keepNew(record: ChatRecord): void {
    this.#keep(Promise.all([this.store.save(record), this.store.saveCurrent(record.id)]))
  }

  #keep(writing: Promise<unknown>): void {
    const tell = (isUnsaved: boolean) => () => {
      if (this.#state.isUnsaved !== isUnsaved) this.change({ isUnsaved })
    }
    writing.then(tell(false), tell(true))
  }

  /** For a conversation that was claimed. One in which nothing was ever said or typed is not kept. */
  #leave(next: Promise<Release | null>): void {
    this.flush()
    const { record, draft } = this.#state
    const isUsed = record.columns.some(({ turns }) => turns.length > 0)
    if (!isUsed && draft.text === '' && draft.attachments.length === 0) {
      void this.store.remove(record.id)
    }
    void this.#claim.then((release) => release?.())
    this.#claim = next
  }

  #show(state: ChatState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
