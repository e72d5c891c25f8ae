import { randomUUID } from 'node:crypto'
import { unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import { codeByText } from '../../store/payment/redemption-codes.ts'
import {
  type ImportedLists,
  type LastImport,
  LastImportFile,
  type ListName,
  listNames,
} from '../../store/state/last-import.ts'
import type { State } from '../../store/state/state.ts'
import type { TransferPart } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { ImportPlan } from './import-plan.ts'
import { changedSincePreview } from './part/changed-since-preview.ts'
import type { PlannedItem } from './part/plan.ts'
import { digestsOf, listsBefore, listsOf } from './stable-lists.ts'

export type ConflictChoice = 'keep' | 'replace' | 'both'

export interface AppliedPart {
  part: TransferPart
  added: number
  changed: number
}

interface Preview {
  plan: ImportPlan
  seen: ImportedLists
  expiresAt: number
}

/** A list, or the codes. */
type ChangedPart = ListName | 'codes'

/** Milliseconds. */
const PREVIEW_LIFE = 15 * 60_000
const MOST_PREVIEWS = 5

/** Did people change nothing? Lists are other objects after each change, which is seen at once. */
function areSame(one: ImportedLists, other: ImportedLists): boolean {
  if (listNames.every((name) => one[name] === other[name])) return true
  const [digests, others] = [digestsOf(one), digestsOf(other)]
  return listNames.every((name) => digests[name] === others[name])
}

const conflict = (message: string, reason: Reason): GatewayError =>
  new GatewayError('conflict', { message, reason })

/** Previews of imports, in memory, and the way back from the latest import, in the data folder. */
class Imports {
  readonly #previews = new Map<string, Preview>()
  readonly #file: LastImportFile

  constructor(dataFolder: string) {
    this.#file = new LastImportFile(dataFolder)
  }

  keep(plan: ImportPlan, { state }: GatewayParts): string {
    const now = Date.now()
    for (const [id, { expiresAt }] of this.#previews) {
      if (expiresAt <= now || this.#previews.size >= MOST_PREVIEWS) this.#previews.delete(id)
    }
    const id = randomUUID()
    this.#previews.set(id, { plan, seen: listsOf(state.data), expiresAt: now + PREVIEW_LIFE })
    return id
  }

  /** Writes the chosen items, all or none. `chosen` holds ids, which are the places in the plan. */
  apply(
    previewId: string,
    chosen: readonly string[],
    choices: Readonly<Record<string, ConflictChoice>>,
    parts: GatewayParts,
  ): { applied: AppliedPart[]; undo_id: string; from: string } {
    const preview = this.#previews.get(previewId)
    if (!preview || preview.expiresAt <= Date.now()) {
      throw new GatewayError('not_found', {
        message: 'This preview is no longer kept. Make a new one.',
        field: 'preview_id',
        reason: { code: 'preview_gone' },
      })
    }
    const { state, ledger } = parts
    if (!areSame(preview.seen, listsOf(state.data))) {
      this.#previews.delete(previewId)
      throw changedSincePreview()
    }
    const { items } = preview.plan
    const unknown = chosen.find((id) => items[Number(id)] === undefined)
    if (unknown !== undefined) {
      throw new GatewayError('invalid_params', {
        message: `The preview has no item "${unknown}".`,
        field: 'items',
        reason: { code: 'preview_no_item', item: unknown },
      })
    }
    const isChosen = new Set(chosen)
    const before = state.data
    const counts = new Map<TransferPart, AppliedPart>()
    const hadCode = new Set(codesOf(parts))
    try {
      ledger.transact((transaction) =>
        state.together(() => {
          for (const [index, item] of items.entries()) {
            if (!isChosen.has(String(index))) continue
            const how = howTo(item, choices[String(index)])
            if (how === null) continue
            item.write(how, { parts, transaction })
            count(counts, item, how)
          }
        }),
      )
    } catch (error) {
      // The ledger's commit comes last, and may fail on a full disk.
      if (state.data !== before) putBack(parts, listsOf(before))
      throw error
    }
    this.#previews.delete(previewId)
    const codes = codesOf(parts).filter((code) => !hadCode.has(code))
    const id = randomUUID()
    const applied = [...counts.values()]
    const from = preview.plan.from
    const lists = { before: listsOf(before), after: digestsOf(listsOf(state.data)) }
    const last = { version: before.version, id, at: unixSeconds(), from, applied, codes, ...lists }
    try {
      this.#file.write(last)
    } catch (err) {
      // Imported records stay, and the import before this one must not be undone in its place.
      this.#file.remove()
      parts.log.error({ err }, 'the way back from the import could not be kept')
    }
    return { applied, undo_id: id, from }
  }

  /** The latest import, with what was changed since, so that it can't be undone; null where there is none. */
  last({ state, ledger }: GatewayParts): { last: LastImport; changed: ChangedPart | null } | null {
    const last = this.#file.read(state.data.version)
    if (!last) return null
    const now = digestsOf(listsOf(state.data))
    const list = listNames.find((name) => now[name] !== last.after[name])
    const isUsed = (code: string) => {
      const row = codeByText(ledger.read.bind(ledger), code)
      return !row || row.status === 3
    }
    // What a user has paid or redeemed would go with that user.
    const had = new Set(last.before.users.map(({ id }) => id))
    const hasCredit = state.data.users.some(({ id }) => !had.has(id) && ledger.credited(id) !== 0)
    const users = hasCredit ? ('users' as const) : null
    return { last, changed: list ?? users ?? (last.codes.some(isUsed) ? 'codes' : null) }
  }

  /** Takes the latest import back; gives its format. Throws `conflict` when something else changed since. */
  undo(id: string, parts: GatewayParts): string {
    const found = this.last(parts)
    if (found?.last.id !== id) {
      throw new GatewayError('not_found', {
        message: 'Only the latest import can be undone, and this is another one.',
        field: 'undo_id',
        reason: { code: 'only_latest_undone' },
      })
    }
    const { last, changed } = found
    if (changed === 'codes') {
      throw conflict(
        'A redemption code of the import was used or deleted since, so it cannot be undone.',
        { code: 'code_used_since_import' },
      )
    }
    if (changed !== null) {
      throw conflict(
        `The ${changed} were changed since the import, so it cannot be undone as a whole. Change them by hand.`,
        { code: 'changed_since_import' },
      )
    }
    const { state, ledger } = parts
    const lists = listsBefore(last.before, listsOf(state.data))
    ledger.transact(({ run }) => {
      for (const code of last.codes) {
        run('DELETE FROM redemption_codes WHERE code = ? AND status <> 3', code)
      }
      putBack(parts, lists)
    })
    this.#file.remove()
    return last.from
  }
}

const known = new WeakMap<State, Imports>()

/** The imports of a gateway. */
export function importsOf({ state, dataFolder }: GatewayParts): Imports {
  const imports = known.get(state) ?? new Imports(dataFolder)
  known.set(state, imports)
  return imports
}

const codesOf = ({ ledger }: GatewayParts): string[] =>
  ledger.read('SELECT code FROM redemption_codes').map(({ code }) => String(code))

function howTo({ state }: PlannedItem, choice: ConflictChoice = 'keep'): 'add' | 'replace' | null {
  if (state === 'same') return null
  if (state === 'new') return 'add'
  if (state === 'changed') return 'replace'
  return choice === 'keep' ? null : choice === 'both' ? 'add' : 'replace'
}

function count(counts: Map<TransferPart, AppliedPart>, { part }: PlannedItem, how: string): void {
  const applied = counts.get(part) ?? { part, added: 0, changed: 0 }
  if (how === 'add') applied.added++
  else applied.changed++
  counts.set(part, applied)
}

/** Ids that were drawn meanwhile stay drawn. */
function putBack({ state }: GatewayParts, lists: ImportedLists): void {
  state.update((draft) => {
    Object.assign(draft, lists)
  })
}
