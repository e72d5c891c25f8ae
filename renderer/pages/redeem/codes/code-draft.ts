import type { OperationInput } from '../../../../preload/contract.ts'
import { fromLocalInput, toLocalInput } from '../../../components/format/local-time.ts'
import { dollarsOf, unitsOf } from '../../../components/format/quota-units.ts'
import type { RedemptionRecord } from '../../../gateway/records.ts'
import { isUsed } from './code-states.ts'

const never = 0

/** A code, or a batch of new ones, as the form edits it. */
export interface CodeDraft {
  name: string
  /** Number of new codes. */
  count: number | string
  /** US dollars per code, or the text being typed. */
  dollars: number | string
  /** `2026-01-31T12:00` in local time; empty for never. */
  expires: string
}

export const newCodeDraft: CodeDraft = { name: '', count: 1, dollars: 10, expires: '' }

export function draftOfCode(code: RedemptionRecord): CodeDraft {
  return {
    name: code.name,
    count: 1,
    dollars: dollarsOf(code.quota),
    expires: code.expired_time === never ? '' : toLocalInput(code.expired_time),
  }
}

export const fieldsOfNewCodes = (draft: CodeDraft): OperationInput<'redemption.create'> => ({
  name: draft.name.trim(),
  count: Math.trunc(Number(draft.count) || 0),
  quota: unitsOf(draft.dollars),
  expired_time: expiryOf(draft),
})

/** Only the label of a used code can change. */
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
