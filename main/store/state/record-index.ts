import { GatewayError } from '../../base/errors.ts'

import type { SecretBox } from '../secret-key/secret-box.ts'

/** Records of one kind, found by id; made anew when the stored list is another object, or another key opens it. */
export class RecordIndex<Stored, Kept extends { id: number }> {
  readonly #kind: 'user' | 'token'
  readonly #box: Pick<SecretBox, 'version'>
  readonly #stored: () => readonly Stored[]
  readonly #read: (stored: readonly Stored[]) => readonly Kept[]
  readonly #onChange: (all: readonly Kept[]) => void
  #seen: unknown
  #version: unknown
  #all: readonly Kept[] = []
  #byId = new Map<number, Kept>()

  /** `kind` names a record in the refusal; `onChange` is told of each new list before it is used. */
  constructor(
    kind: 'user' | 'token',
    box: Pick<SecretBox, 'version'>,
    stored: () => readonly Stored[],
    read: (stored: readonly Stored[]) => readonly Kept[],
    onChange: (all: readonly Kept[]) => void,
  ) {
    this.#kind = kind
    this.#box = box
    this.#stored = stored
    this.#read = read
    this.#onChange = onChange
  }

  refresh(): void {
    const stored = this.#stored()
    // A key that is there stays the same to the end.
    const isSameKey = this.#version !== null || this.#box.version === null
    if (stored === this.#seen && isSameKey) return
    this.#all = Object.freeze([...this.#read(stored)])
    this.#byId = new Map(this.#all.map((record) => [record.id, record]))
    this.#seen = stored
    this.#version = this.#box.version
    this.#onChange(this.#all)
  }

  all(): readonly Kept[] {
    this.refresh()
    return this.#all
  }

  byId(id: number): Kept | undefined {
    this.refresh()
    return this.#byId.get(id)
  }

  /** Throws `not_found` for an unknown id. */
  find(id: number): Kept {
    const record = this.byId(id)
    if (record) return record
    throw new GatewayError('not_found', {
      message: `There is no ${this.#kind} ${id}. It may have been deleted: reload the list.`,
      field: 'id',
      reason: { code: `no_${this.#kind}`, id },
    })
  }
}
