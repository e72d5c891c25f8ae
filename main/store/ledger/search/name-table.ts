import type { Database, Statement } from '../sqlite-driver.ts'
import type { Statements } from '../statements.ts'
import type { TextField } from './search-condition.ts'

/** Texts of these fields are stored once; the others differ from call to call, or nearly so. */
export type NameField = Exclude<TextField, 'session' | 'requestId'>

/** Entries of the cache: more names than most gateways ever see. */
const MOST_CACHED = 20_000

/** The texts that calls share, each with its id. */
export class NameTable {
  readonly #statements: Statements
  readonly #add: Statement
  readonly #find: Statement
  readonly #ids = new Map<string, number>()

  constructor(database: Database, statements: Statements) {
    this.#statements = statements
    this.#find = database.prepare('SELECT id FROM call_names WHERE kind = ? AND text = ?')
    this.#add = database.prepare('INSERT INTO call_names (kind, text) VALUES (?, ?) RETURNING id')
  }

  /** The id of a text, which is added if it's new. Inside a transaction. */
  idOf(field: NameField, text: string): number {
    const key = `${field}\n${text}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = Number((this.#find.get(field, text) ?? this.#add.get(field, text))?.id)
    if (this.#ids.size >= MOST_CACHED) this.#ids.clear()
    this.#ids.set(key, id)
    return id
  }

  /** After a transaction that did not come to its end: its ids may be given to other texts. */
  forget(): void {
    this.#ids.clear()
  }

  /** All texts of a field by their ids. */
  all(field: NameField): Map<number, string> {
    const rows = this.#statements.all('SELECT id, text FROM call_names WHERE kind = ?', [field])
    return new Map(rows.map(({ id, text }) => [Number(id), String(text)]))
  }

  /** The text of an id; empty for none. */
  textOf(field: NameField, id: number): string {
    const [row] = this.#statements.all('SELECT text FROM call_names WHERE kind = ? AND id = ?', [
      ...[field, id],
    ])
    return String(row?.text ?? '')
  }

  /** Ids of the texts that have this part, in upper or lower case. */
  containing(field: NameField, part: string): number[] {
    const wanted = part.toLowerCase()
    return [...this.all(field)].flatMap(([id, text]) =>
      text.toLowerCase().includes(wanted) ? [id] : [],
    )
  }
}
