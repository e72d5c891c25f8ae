import type { LossReason } from '../../base/sentences/loss-notes.ts'
import { parseJson } from '../../base/text/parse-json.ts'
import type { Capture } from '../../capture/capture.ts'
import { asArray, asObject, asString } from '../../convert/json/json-value.ts'
import type { LossEntry } from '../../convert/loss.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'

type Fields = Record<string, unknown>

const entriesOf = (losses: unknown): LossEntry[] =>
  asArray(losses).flatMap((value): LossEntry[] => {
    const entry = asObject(value)
    const path = asString(entry?.path)
    if (path === undefined) return []
    const kind = entry?.kind === 'approximated' ? 'approximated' : 'dropped'
    const reason = asObject(entry?.reason)
    const isCoded = typeof reason?.code === 'string'
    const note = asString(entry?.note) ?? ''
    return [{ path, kind, note, ...(isCoded && { reason: reason as LossReason }) }]
  })

/** The attempt of each exchange: those that failed before a request have none. */
function attemptsOf({ exchanges }: Capture, attempts: readonly Fields[]): (Fields | undefined)[] {
  let next = 0
  return exchanges.map(({ channelId }) => {
    const found = attempts.findIndex(({ channel }, at) => at >= next && channel === channelId)
    if (found < 0) return undefined
    next = found + 1
    return attempts[found]
  })
}

/** The losses of an attempt, as the call's row in the log has them. */
export function storedLosses(
  capture: Capture,
  exchange: number,
  ledger: Pick<Ledger, 'list'>,
): LossEntry[] {
  const { items } = ledger.list({ requestId: capture.id }, { page: 1, pageSize: 10 })
  return items.flatMap(({ other }) => {
    const { loss, admin_info: info } = asObject(parseJson(Buffer.from(other))) ?? {}
    const notes = asArray(asObject(asObject(info)?.route)?.attempts)
    const attempts = notes.flatMap((note) => {
      const fields = asObject(note)
      return fields ? [fields] : []
    })
    const own = attemptsOf(capture, attempts)[exchange]?.loss
    const isLast = exchange === capture.exchanges.length - 1
    return entriesOf(own ?? (isLast ? loss : []))
  })
}
