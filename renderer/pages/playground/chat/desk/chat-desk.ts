import type { GatewayClient } from '../../../../gateway/client.ts'
import { attachmentOf, base64Of, isUtf8, kindOf, MOST_BYTES } from './attachments.ts'
import {
  type Attachment,
  blankTurn,
  type ChatRecord,
  type Column,
  type ColumnSettings,
  MOST_COLUMNS,
  newId,
  newRecord,
  type Turn,
} from './chat-record.ts'
import type { DataOf } from './chat-request.ts'
import type { ChatStore } from './chat-store.ts'
import { type ChatState, DeskState, emptyLike, idle, type RefusedFile } from './desk-state.ts'
import { Replies } from './replies.ts'
import { copyNameOf, nameOf, newestLeaf, threadOf, threadTo } from './thread.ts'

/** A turn that is being edited, in the draft. Columns have turns with the same ids. */
export const editOf = (key: string, id: string): string => `${key} ${id}`

/** The open conversation. Outlives its page: replies go on while another page is open. */
export class ChatDesk {
  readonly #state: DeskState
  readonly #replies: Replies

  constructor(client: GatewayClient, state: DeskState) {
    this.#state = state
    this.#replies = new Replies(client, state)
  }

  static async open(client: GatewayClient, store: ChatStore): Promise<ChatDesk> {
    const desk = new ChatDesk(client, await DeskState.open(store))
    desk.#replies.lookUpAll()
    return desk
  }

  get store(): ChatStore {
    return this.#state.store
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener)

  readonly read = (): ChatState => this.#state.read()

  /** Opens another conversation. */
  async load(id: string): Promise<void> {
    this.stop()
    await this.#state.load(id)
    this.#replies.lookUpAll()
  }

  /** A new conversation with the columns that there are. */
  start(): void {
    this.stop()
    this.#state.begin(emptyLike(this.read().record))
  }

  /** A new conversation of one column that begins with the turns up to this one. */
  async branch(key: string, id: string): Promise<void> {
    this.stop()
    const { record } = this.read()
    const column = this.#state.column(key)
    if (!column) return
    const turns = threadTo(column.turns, id).map(idle)
    const name = copyNameOf(record, await this.store.all())
    if (this.read().record.id !== record.id) return
    this.#state.begin({
      ...newRecord(),
      name,
      columns: [{ ...column, key: newId(), turns, leaf: id }],
    })
    this.#replies.lookUpAll()
  }

  /** Opens a conversation of a file. */
  async takeIn(record: ChatRecord): Promise<void> {
    this.stop()
    const all = await this.store.all()
    const isTaken = all.some((one) => nameOf(one) === nameOf(record))
    this.#state.begin(isTaken ? { ...record, name: copyNameOf(record, all) } : record)
  }

  rename(name: string): void {
    this.#state.setRecord({ name: name.trim() })
  }

  async remove(id: string): Promise<void> {
    if (id === this.read().record.id) this.start()
    await this.store.remove(id)
  }

  async removeAll(): Promise<void> {
    this.start()
    await this.store.clear()
    await this.store.save(this.read().record)
    await this.store.saveCurrent(this.read().record.id)
  }

  addColumn(): void {
    const { columns } = this.read().record
    const like = columns.at(-1)
    if (!like || columns.length >= MOST_COLUMNS) return
    const turns = threadOf(like).map(idle)
    const added: Column = { ...like, key: newId(), turns, leaf: turns.at(-1)?.id ?? null }
    this.#state.setColumns([...columns, added])
    this.activate(added.key)
  }

  removeColumn(key: string): void {
    this.#remove((column) => column.key === key)
  }

  /** The conversation goes on with this column alone. */
  keep(key: string): void {
    this.#remove((column) => column.key !== key)
  }

  #remove(isGone: (column: Column) => boolean): void {
    for (const column of this.read().record.columns) if (isGone(column)) this.stop(column.key)
    const { record, removed } = this.read()
    const { columns } = record
    const gone = columns.flatMap((column, at) => (isGone(column) ? [{ column, at }] : []))
    if (gone.length === columns.length) return
    this.#state.setColumns(columns.filter((column) => !isGone(column)))
    this.#state.change({ removed: [...gone, ...removed] })
  }

  /** Puts removed columns back, as many as there is room for. */
  putBack(): void {
    const { record, removed } = this.read()
    const columns = [...record.columns]
    const room = MOST_COLUMNS - columns.length
    for (const { column, at } of removed.slice(0, room)) columns.splice(at, 0, column)
    this.#state.setColumns(columns)
    this.#state.change({ removed: removed.slice(room) })
    this.#replies.lookUpAll()
  }

  /** Takes away what was told: columns that can be put back, or that this is a copy. */
  dismiss(note: 'removed' | 'isCopy'): void {
    this.#state.change(note === 'isCopy' ? { isCopy: false } : { removed: [] })
  }

  activate(key: string): void {
    if (this.read().active !== key) this.#state.change({ active: key })
  }

  configure(key: string, fields: Partial<ColumnSettings>): void {
    this.#state.setColumn(key, ({ settings }) => ({ settings: { ...settings, ...fields } }))
  }

  write(text: string): void {
    this.#state.setDraft({ ...this.read().draft, text })
  }

  async addFiles(files: Iterable<File>): Promise<void> {
    this.#state.change({ refusedFiles: [] })
    const refuse = ({ name }: File, why: RefusedFile['why']) =>
      this.#state.change({ refusedFiles: [...this.read().refusedFiles, { name, why }] })
    for (const file of files) {
      if (file.size === 0) {
        refuse(file, 'empty')
        continue
      }
      const kind = await kindOf(file)
      if (kind === null) {
        refuse(file, 'kind')
        continue
      }
      const size = this.read().draft.attachments.reduce((sum, one) => sum + one.size, file.size)
      if (size > MOST_BYTES) {
        refuse(file, 'size')
        continue
      }
      if (kind === 'text' && !(await isUtf8(file))) {
        refuse(file, 'encoding')
        continue
      }
      const attachment = attachmentOf(file, kind)
      const data = await base64Of(file)
      try {
        await this.store.saveFile(attachment.id, data)
      } catch {
        refuse(file, 'room')
        continue
      }
      this.#replies.addFile(attachment.id, data)
      const { draft } = this.read()
      this.#state.setDraft({ ...draft, attachments: [...draft.attachments, attachment] })
    }
  }

  removeFile(id: string): void {
    const { draft } = this.read()
    const attachments = draft.attachments.filter((file) => file.id !== id)
    this.#state.setDraft({ ...draft, attachments })
  }

  readonly fileOf = (id: string): Promise<string | null> => this.#replies.fileOf(id)

  /** Name of the first file of the turns that is gone; null where all were read. */
  readFiles(turns: readonly Turn[]): Promise<string | null> {
    return this.#replies.readFiles(turns)
  }

  /** Base64 of a file that was read. */
  get dataOf(): DataOf {
    return this.#replies.dataOf
  }

  /** Sends the message that was typed to all columns. */
  send(): void {
    const { draft, record } = this.read()
    const text = draft.text.trim()
    if (text === '' && draft.attachments.length === 0) return
    this.#state.clearMessage()
    this.#state.change({ refusedFiles: [] })
    const said = { text, attachments: draft.attachments, prompt: newId() }
    for (const { key, leaf } of record.columns) this.#say(key, leaf, said)
  }

  /** Keeps what is typed in place of a turn; null ends that. */
  setEdit(key: string, id: string, text: string | null): void {
    this.#state.setEdit(editOf(key, id), text)
  }

  /** Another version of a turn, beside it. A message is sent again, in every column that has it. */
  edit(key: string, id: string, text: string): void {
    const turn = this.#state.turn(key, id)
    if (!turn) return
    if (turn.role === 'assistant') {
      this.stop(key)
      // Of the call that it came from nothing else stands: neither its figures nor its end.
      const { parent, role, attachments, calls, reasoning, goesBack = false, model } = turn
      const kept = { parent, role, attachments, calls, reasoning, goesBack, model }
      const edited: Turn = { ...blankTurn, ...kept, id: newId(), text, isEdited: true }
      this.#state.addTurn(key, edited)
      return
    }
    const prompt = newId()
    for (const column of this.read().record.columns) {
      const same = threadOf(column).find((one) =>
        column.key === key ? one.id === id : one.prompt !== null && one.prompt === turn.prompt,
      )
      if (!same) continue
      const { parent, attachments } = same
      this.#say(column.key, parent, { text, attachments, prompt })
    }
  }

  /** Asks for a reply once more; the earlier one stays beside it. */
  regenerate(key: string, id: string): void {
    const turn = this.#state.turn(key, id)
    if (turn) void this.#replies.ask(key, turn.parent)
  }

  /** Shows another version of a turn. */
  select(key: string, id: string): void {
    this.stop(key)
    this.#state.setColumn(key, ({ turns }) => ({ leaf: newestLeaf(turns, id) }))
  }

  answerCall(key: string, id: string, call: string, result: string): void {
    this.#state.setTurn(key, id, ({ calls }) => ({
      calls: calls.map((one) => (one.id === call ? { ...one, result } : one)),
    }))
  }

  /** Goes on with the answers to the tools that a reply called. */
  sendResults(key: string, id: string): void {
    void this.#replies.ask(key, id)
  }

  stop(key?: string): void {
    this.#replies.stop(key)
  }

  /** Keeps all that came, as before the page goes away. */
  flush(): void {
    this.#replies.show()
    this.#state.flush()
  }

  #say(
    key: string,
    parent: string | null,
    said: { text: string; attachments: readonly Attachment[]; prompt: string },
  ): void {
    const turn: Turn = { ...blankTurn, ...said, id: newId(), parent, role: 'user' }
    this.#state.addTurn(key, turn)
    void this.#replies.ask(key, turn.id)
  }
}
