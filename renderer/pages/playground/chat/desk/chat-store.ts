import type { GatewayClient } from '../../../../gateway/client.ts'
import type { Attachment, ChatRecord } from './chat-record.ts'

/** A message that is being typed, and turns that are being edited. */
export interface Draft {
  text: string
  attachments: readonly Attachment[]
  /** By key of the column and id of the turn. */
  edits: Readonly<Record<string, string>>
}

export const blankDraft: Draft = { text: '', attachments: [], edits: {} }

/** Keeps conversations, and the forms of the other modes, on this computer. */
export interface ChatStore {
  /** False where the browser keeps nothing, as in some private windows. */
  readonly isKept: boolean
  all(): Promise<ChatRecord[]>
  save(record: ChatRecord): Promise<void>
  remove(id: string): Promise<void>
  clear(): Promise<void>
  draft(id: string): Promise<Draft>
  saveDraft(id: string, draft: Draft): Promise<void>
  /** Id of the conversation that was open last, in this tab if it had one. */
  current(): Promise<string | null>
  saveCurrent(id: string): Promise<void>
  /** Base64. */
  file(id: string): Promise<string | null>
  saveFile(id: string, data: string): Promise<void>
  /** Values of a mode's form; null where it was never filled. */
  form(name: string): Promise<object | null>
  saveForm(name: string, form: object): Promise<void>
}

const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** A write counts once it is on the disk: without room the transaction ends, not the request. */
const written = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })

type Room = 'conversations' | 'state' | 'files'
const rooms: readonly Room[] = ['conversations', 'state', 'files']

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const room of rooms) request.result.createObjectStore(room)
  }
  return done(request)
}

/** In the browser's database, one for each user of the gateway. */
class DatabaseStore implements ChatStore {
  readonly isKept = true
  readonly #database: IDBDatabase

  constructor(database: IDBDatabase) {
    this.#database = database
  }

  #read<Value>(room: Room, key: string): Promise<Value | null> {
    const request = this.#database.transaction(room).objectStore(room).get(key)
    return done<Value | undefined>(request).then((value) => value ?? null)
  }

  #write(room: Room, key: string, value: unknown): Promise<void> {
    const transaction = this.#database.transaction(room, 'readwrite')
    transaction.objectStore(room).put(value, key)
    // At once: a page that goes away ends what isn't committed yet.
    transaction.commit()
    return written(transaction)
  }

  all(): Promise<ChatRecord[]> {
    return done(this.#database.transaction('conversations').objectStore('conversations').getAll())
  }

  save(record: ChatRecord): Promise<void> {
    return this.#write('conversations', record.id, record)
  }

  async remove(id: string): Promise<void> {
    const [record, draft, shared] = await Promise.all([
      this.#read<ChatRecord>('conversations', id),
      this.draft(id),
      this.#filesBeside(id),
    ])
    const turns = record?.columns.flatMap((column) => column.turns) ?? []
    const files = [...turns.flatMap(({ attachments }) => attachments), ...draft.attachments].filter(
      (file) => !shared.has(file.id),
    )
    const transaction = this.#database.transaction(rooms, 'readwrite')
    transaction.objectStore('conversations').delete(id)
    transaction.objectStore('state').delete(`draft ${id}`)
    for (const file of files) transaction.objectStore('files').delete(file.id)
    await written(transaction)
  }

  /** Ids of files of the other conversations: a branch shares those of the one that it was made of. */
  async #filesBeside(id: string): Promise<Set<string>> {
    const others = (await this.all()).filter((record) => record.id !== id)
    const turns = others.flatMap(({ columns }) => columns).flatMap((column) => column.turns)
    return new Set(turns.flatMap(({ attachments }) => attachments.map((file) => file.id)))
  }

  async clear(): Promise<void> {
    const transaction = this.#database.transaction(rooms, 'readwrite')
    for (const room of rooms) transaction.objectStore(room).clear()
    await written(transaction)
  }

  async draft(id: string): Promise<Draft> {
    return { ...blankDraft, ...(await this.#read<Partial<Draft>>('state', `draft ${id}`)) }
  }

  saveDraft(id: string, draft: Draft): Promise<void> {
    return this.#write('state', `draft ${id}`, draft)
  }

  async current(): Promise<string | null> {
    return sessionStorage.getItem(this.#database.name) ?? (await this.#read('state', 'current'))
  }

  saveCurrent(id: string): Promise<void> {
    sessionStorage.setItem(this.#database.name, id)
    return this.#write('state', 'current', id)
  }

  form(name: string): Promise<object | null> {
    return this.#read('state', `form ${name}`)
  }

  saveForm(name: string, form: object): Promise<void> {
    return this.#write('state', `form ${name}`, form)
  }

  file(id: string): Promise<string | null> {
    return this.#read('files', id)
  }

  saveFile(id: string, data: string): Promise<void> {
    return this.#write('files', id, data)
  }
}

/** Where the browser has no database: until the page is left. */
class MemoryStore implements ChatStore {
  readonly isKept = false
  readonly #records = new Map<string, ChatRecord>()
  readonly #drafts = new Map<string, Draft>()
  readonly #files = new Map<string, string>()
  #current: string | null = null

  all = async () => [...this.#records.values()]
  save = async (record: ChatRecord) => void this.#records.set(record.id, record)
  draft = async (id: string) => this.#drafts.get(id) ?? blankDraft
  saveDraft = async (id: string, draft: Draft) => void this.#drafts.set(id, draft)
  current = async () => this.#current
  file = async (id: string) => this.#files.get(id) ?? null
  // The page itself has the form.
  form = async () => null
  saveForm = async () => {}
  saveFile = async (id: string, data: string) => void this.#files.set(id, data)

  async saveCurrent(id: string): Promise<void> {
    this.#current = id
  }

  async remove(id: string): Promise<void> {
    this.#records.delete(id)
    this.#drafts.delete(id)
  }

  async clear(): Promise<void> {
    for (const map of [this.#records, this.#drafts, this.#files]) map.clear()
  }
}

async function openStore(userId: number): Promise<ChatStore> {
  try {
    return new DatabaseStore(await openDatabase(`switchyard-playground-${userId}`))
  } catch {
    return new MemoryStore()
  }
}

const stores = new WeakMap<GatewayClient, Map<number, Promise<ChatStore>>>()

/** One store per console and user. */
export function chatStoreOf(client: GatewayClient, userId: number): Promise<ChatStore> {
  const own = stores.get(client) ?? new Map<number, Promise<ChatStore>>()
  stores.set(client, own)
  const opened = own.get(userId) ?? openStore(userId)
  own.set(userId, opened)
  return opened
}
