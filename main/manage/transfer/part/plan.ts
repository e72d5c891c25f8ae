import type { z } from 'zod'
import { GatewayError } from '../../../base/errors.ts'
import type { Transaction } from '../../../store/ledger/ledger.ts'
import type { LeftOut, TransferPart } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { readInput } from '../../operation/read-input.ts'
import type { Change } from './changes.ts'
import type { ItemNote } from './item-notes.ts'

/** `conflict`: the same name or key, but hardly the same thing. */
export type ItemState = 'new' | 'changed' | 'same' | 'conflict'

/** Services of one import, for the writers of its items. */
export interface Writing {
  parts: GatewayParts
  transaction: Transaction
}

/** Whose file it is: our own export, or another program's and anybody's link. */
export type Origin = 'own' | 'foreign'

/** One entry of an import, compared with the state as it is. */
export interface PlannedItem {
  part: TransferPart
  name: string
  state: ItemState
  changes: Change[]
  /** Remaining steps, or facts worth knowing. */
  notes: ItemNote[]
  /** `add`: beside the existing one, under another name if need be. */
  write(how: 'add' | 'replace', writing: Writing): void
}

export interface Plan {
  items: PlannedItem[]
  leftOut: LeftOut[]
}

/** Plans each entry by itself: one that can't be used is left out with the reason, and the others go on. */
export function planEach<Draft>(
  part: TransferPart,
  entries: readonly unknown[],
  schema: z.ZodType<Draft>,
  plan: (draft: Draft) => Omit<PlannedItem, 'part'>,
): Plan {
  const planned: Plan = { items: [], leftOut: [] }
  for (const [index, entry] of entries.entries()) {
    try {
      planned.items.push({ part, ...plan(readInput(schema, entry)) })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      planned.leftOut.push(refusedEntry(part, nameOf(entry, index), error))
    }
  }
  return planned
}

/** A line of the report about an entry that can't be used. */
export const refusedEntry = (
  part: TransferPart,
  name: string,
  { message, field, reason }: GatewayError,
): LeftOut => ({
  name: `${part}: ${name}`,
  reason: message,
  ...(reason && { refused: { part, name, field: field ?? null, reason } }),
})

function nameOf(entry: unknown, index: number): string {
  const { name, username, model } = Object(entry)
  const found = [name, username, model].find((text) => typeof text === 'string' && text !== '')
  return found ?? String(index + 1)
}

/** `name`, or `name (2)` and on, whichever `isTaken` leaves. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const tried = `${name} (${number})`
    if (!isTaken(tried)) return tried
  }
}
