import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../base/errors.ts'
import type { Reason } from '../../base/reason.ts'
import type { State, StateData } from '../../store/state/state.ts'
import type { TransferPart } from '../../transfer/transfer.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import type { ImportPlan } from './import-plan.ts'
import type { PlannedItem } from './part/plan.ts'

export type ConflictChoice = 'keep' | 'replace' | 'both'

export interface AppliedPart {
  part: TransferPart
  added: number
  changed: number
}

/** The lists that an import may write; sessions come and go meanwhile. */
type Lists = Pick<StateData, 'users' | 'channels' | 'tokens' | 'settings'>

interface Preview {
  plan: ImportPlan
  seen: Lists
  expiresAt: number
}

interface Undo {
  before: Lists
  after: Lists
  /** Texts of the codes that were added. */
  codes: string[]
}

/** Milliseconds. */
const PREVIEW_LIFE = 15 * 60_000
const MOST_PREVIEWS = 5

const listsOf = ({ users, channels, tokens, settings }: StateData): Lists => ({
  users,
  channels,
  tokens,
  settings,
})

/** The state's lists are other objects after each change. */
const areSame = (one: Lists, other: Lists): boolean =>
  one.users === other.users &&
  one.channels === other.channels &&
  one.tokens === other.tokens &&
  one.settings === other.settings

const conflict = (message: string, reason: Reason): GatewayError =>
  new GatewayError('conflict', { message, reason })

/** Previews of imports, and the way back from the latest import; in memory only. */
class Imports {
  readonly #previews = new Map<string, Preview>()
  #undo: { id: string; undo: Undo } | null = null

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
  ): { applied: AppliedPart[]; undo_id: string } {
    const preview = this.#previews.get(previewId)
    if (!preview || preview.expiresAt <= Date.now()) {
      throw new GatewayError('not_found', {
        message: 'This preview is no longer kept. Choose the file again.',
        field: 'preview_id',
        reason: { code: 'preview_gone' },
      })
    }
    const { state, ledger } = parts
    if (!areSame(preview.seen, listsOf(state.data))) {
      this.#previews.delete(previewId)
      throw conflict(
        'Something was changed since the preview. Nothing was imported: choose the file again.',
        { code: 'changed_since_preview' },
      )
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
    const before = state.data
    const counts = new Map<TransferPart, AppliedPart>()
    const codesBefore = codesOf(parts)
    try {
      ledger.transact((transaction) =>
        state.together(() => {
          for (const [index, item] of items.entries()) {
            if (!chosen.includes(String(index))) continue
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
    const codes = codesOf(parts).filter((code) => !codesBefore.includes(code))
    const id = randomUUID()
    this.#undo = { id, undo: { before: listsOf(before), after: listsOf(state.data), codes } }
    return { applied: [...counts.values()], undo_id: id }
  }

  /** Takes the latest import back; throws `conflict` when something else changed since. */
  undo(id: string, parts: GatewayParts): void {
    if (this.#undo?.id !== id) {
      throw new GatewayError('not_found', {
        message: 'Only the latest import can be undone, until the gateway is restarted.',
        field: 'undo_id',
        reason: { code: 'only_latest_undone' },
      })
    }
    const { before, after, codes } = this.#undo.undo
    if (!areSame(after, listsOf(parts.state.data))) {
      throw conflict(
        'Channels, tokens, users or settings were changed since the import, so it cannot be undone as a whole. Change them by hand.',
        { code: 'changed_since_import' },
      )
    }
    parts.ledger.transact(({ run }) => {
      for (const code of codes) {
        const sql = 'DELETE FROM redemption_codes WHERE code = ? AND status <> 3 AND deleted_at = 0'
        if (run(sql, code) === 1) continue
        throw conflict(
          'A redemption code of the import was used or deleted since, so it cannot be undone.',
          { code: 'code_used_since_import' },
        )
      }
      putBack(parts, before)
    })
    this.#undo = null
  }
}

const known = new WeakMap<State, Imports>()

/** The imports of a gateway. */
export function importsOf({ state }: GatewayParts): Imports {
  const imports = known.get(state) ?? new Imports()
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
function putBack({ state }: GatewayParts, lists: Lists): void {
  state.update((draft) => {
    Object.assign(draft, lists)
  })
}
