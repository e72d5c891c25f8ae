import { GatewayError } from '../../base/errors.ts'

import type { SecretBox } from '../secret-key/secret-box.ts'

/**
 * Records of one kind that aren't deleted, found by id; made anew when the stored list is another object, or another
 * key opens it.
 */
export class RecordIndex<
  Stored extends { id: number; deletedAt: number | null },
  Kept extends { id: number },
> {
  readonly #kind: 'user' | 'token'
  readonly #box: Pick<SecretBox, 'version'>
  readonly #stored: () => readonly Stored[]
  readonly #read: (stored: Stored) => Kept
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
    read: (stored: Stored) => Kept,
    onChange: (all: readonly Kept[]) => void,
  ) {
    this.#kind = kind
    this.#box = box
    this.#stored = stored
    this.#read = read
    this.#onChange = onChange
  }

  refresh(): void {
    if (this.#isFresh()) return
    const stored = this.#stored()
    this.#all = Object.freeze(stored.filter(isKept).map(this.#read))
    this.#byId = new Map(this.#all.map((record) => [record.id, record]))
    this.#seen = stored
    this.#version = this.#box.version
    this.#onChange(this.#all)
  }

  #isFresh(): boolean {
    // A key that is there stays the same to the end.
    const isSameKey = this.#version !== null || this.#box.version === null
    return this.#stored() === this.#seen && isSameKey
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
    // An import changes thousands, one after the other, and would make the whole index anew for each.
    const stored = this.#isFresh()
      ? undefined
      : this.#stored().findLast((one) => one.id === id && isKept(one))
    const record = stored ? this.#read(stored) : this.byId(id)
    if (record) return record
    throw new GatewayError('not_found', {
      message: `There is no ${this.#kind} ${id}. It may have been deleted: reload the list.`,
      field: 'id',
      reason: { code: `no_${this.#kind}`, id },
    })
  }
}

const isKept = ({ deletedAt }: { deletedAt: number | null }): boolean => deletedAt === null
