import { unixSeconds } from '../../../base/clock.ts'
import { allCodes, codeByText } from '../../../store/payment/redemption-codes.ts'
import { codeDraft } from '../../../transfer/draft-schemas.ts'
import type { CodeDraft } from '../../../transfer/transfer.ts'
import type { GatewayParts } from '../../gateway-parts.ts'
import { findOwner } from '../../operation/owner.ts'
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

/** Codes of an import that are not here yet; one that is here stays as it is, used or not. */
export function planCodes(entries: readonly unknown[], parts: GatewayParts): Plan {
  const { ledger } = parts
  return planEach('codes', entries, codeDraft, (draft) => {
    const before = codeByText(ledger.read.bind(ledger), draft.code)
    return {
      name: `${draft.name} ${draft.code.slice(0, 4)}…`.trim(),
      state: before ? 'same' : 'new',
      changes: [],
      notes: before?.status === 3 ? [note('code_used')] : [],
      write: (_how, { transaction, parts: { users } }) =>
        void transaction.run(
          `INSERT INTO redemption_codes (user_id, code, status, name, quota, created_time, expired_time)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          findOwner(users)?.id ?? 0,
          draft.code,
          draft.disabled ? 2 : 1,
          draft.name,
          draft.quota,
          unixSeconds(),
          draft.expired_time,
        ),
    }
  })
}
