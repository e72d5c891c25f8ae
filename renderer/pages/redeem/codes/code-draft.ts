import type { OperationInput } from '../../../../preload/contract.ts'
import { fromLocalInput, toLocalInput } from '../../../components/format/local-time.ts'
import { dollarsOf, unitsOf } from '../../../components/format/quota-units.ts'
import type { RedemptionRecord } from '../../../gateway/records.ts'
import { isUsed } from './code-states.ts'

const never = 0

/** The form's own copy of a code, or of the codes to be made. */
export interface CodeDraft {
  name: string
  /** How many are made. */
  count: number | string
  /** US dollars that one brings, or the text being typed. */
  dollars: number | string
  /** Local date and time as `2026-01-31T12:00`; empty for never. */
  expires: string
}

export const newCodeDraft: CodeDraft = { name: '', count: 1, dollars: 10, expires: '' }

/** The draft of a stored code. */
export function draftOfCode(code: RedemptionRecord): CodeDraft {
  return {
    name: code.name,
    count: 1,
    dollars: dollarsOf(code.quota),
    expires: code.expired_time === never ? '' : toLocalInput(code.expired_time),
  }
}

/** The codes to be made, as fields of the wire. */
export const fieldsOfNewCodes = (draft: CodeDraft): OperationInput<'redemption.create'> => ({
  name: draft.name.trim(),
  count: Math.trunc(Number(draft.count) || 0),
  quota: unitsOf(draft.dollars),
  expired_time: expiryOf(draft),
})

/** A changed code as fields of the wire; only the label of a used one can change. */
export function fieldsOfCode(
  code: RedemptionRecord,
  draft: CodeDraft,
): OperationInput<'redemption.update'> {
  const label = { id: code.id, name: draft.name.trim() }
  if (isUsed(code)) return label
  return { ...label, quota: unitsOf(draft.dollars), expired_time: expiryOf(draft) }
}

const expiryOf = ({ expires }: CodeDraft): number =>
  expires === '' ? never : fromLocalInput(expires)
