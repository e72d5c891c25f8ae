import { unixSeconds } from '../../../base/clock.ts'
import { allCodes, fateOfCode } from '../../../store/payment/redemption-codes.ts'
import { codeDraft } from '../../../transfer/draft-schemas.ts'
import type { CodeDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { findOwner } from '../../operation/owner.ts'
import { changedSincePreview } from './changed-since-preview.ts'
import { note } from './item-notes.ts'
import { type Plan, planEach } from './plan.ts'

/** The codes that were not used yet. */
export const toCodeDrafts = ({ ledger }: GatewayParts): CodeDraft[] =>
  allCodes(ledger.read.bind(ledger), { keyword: '', status: '' }, unixSeconds())
    .filter(({ status }) => status !== 3)
    .reverse()
    .map(({ code, name, quota, expiredTime, status }) => ({
      code,
      name,
      quota,
      expired_time: expiredTime,
      disabled: status === 2,
    }))

const notesOf = { kept: [], used: [note('code_used')], deleted: [note('code_deleted')] }

/** Codes of an import that never were here; one that is, or was, stays as it is: kept, used or deleted. */
export function planCodes(entries: readonly unknown[], parts: GatewayParts): Plan {
  const { ledger } = parts
  const planned = new Set<string>()
  return planEach('codes', entries, codeDraft, (draft) => {
    const fate = fateOfCode(ledger.read.bind(ledger), draft.code)
    const isTwice = planned.has(draft.code)
    planned.add(draft.code)
    return {
      name: `${draft.name} ${draft.code.slice(0, 4)}…`.trim(),
      state: fate !== null || isTwice ? 'same' : 'new',
      changes: [],
      notes: fate ? notesOf[fate] : isTwice ? [note('code_twice')] : [],
      write(_how, { transaction, parts: { users } }) {
        const added = transaction.run(
          `INSERT INTO redemption_codes (user_id, code, status, name, quota, created_time, expired_time)
           VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          findOwner(users)?.id ?? 0,
          draft.code,
          draft.disabled ? 2 : 1,
          draft.name,
          draft.quota,
          unixSeconds(),
          draft.expired_time,
        )
        if (added === 0) throw changedSincePreview()
      },
    }
  })
}
