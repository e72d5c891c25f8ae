import { parseJson } from '../../base/parse-json.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { LossEntry } from '../../convert/loss.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'

/** The losses of a call's last attempt, as its row in the log has them. */
export function storedLosses(requestId: string, ledger: Pick<Ledger, 'list'>): LossEntry[] {
  const { items } = ledger.list({ requestId }, { page: 1, pageSize: 10 })
  return items.flatMap(({ other }) => {
    const { loss } = asObject(parseJson(Buffer.from(other))) ?? {}
    return asArray(loss).flatMap((value): LossEntry[] => {
      const entry = asObject(value)
      const path = asString(entry?.path)
      if (path === undefined) return []
      const kind = entry?.kind === 'approximated' ? 'approximated' : 'dropped'
      return [{ path, kind, note: asString(entry?.note) ?? '' }]
    })
  })
}
