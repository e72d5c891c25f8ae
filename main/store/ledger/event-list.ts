import { CALL_COLUMNS, toCall } from './call-columns.ts'
import type { CallPage } from './call-list.ts'
import { type Condition, equal, where } from './sql-conditions.ts'
import type { Statements } from './statements.ts'

/** Which events; a field left out takes all. */
export interface EventFilter {
  userId?: number
  type?: 1 | 3 | 4 | 6
  /** Stands in the sentence, the address or the user’s name. */
  text?: string
}

/** Rows that are counted one by one. */
const COUNTED_ROWS = 50_000
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC'

/** Rows that are no model calls, newest first; `total` is exact up to 50 000. The index by type finds them. */
export function listEvents(
  statements: Statements,
  { userId, type, text }: EventFilter,
  { page, pageSize }: { page: number; pageSize: number },
): CallPage {
  const { sql, values } = where([
    // The index leaves out type 2, and is used only where the query says that it does too.
    type === undefined
      ? ['type <> 2 AND type IN (1, 3, 4, ?)', 6]
      : ['type <> 2 AND type = ?', type],
    ...equal('+user_id', userId),
    ...containing(text),
  ])
  const limit = Math.max(1, Math.trunc(pageSize))
  const offset = (Math.max(1, Math.trunc(page)) - 1) * limit
  const items = statements.all(
    `SELECT ${CALL_COLUMNS} FROM calls ${sql} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  )
  const [row] = statements.all(
    `SELECT count(*) AS count FROM (SELECT 1 FROM calls ${sql} LIMIT ${COUNTED_ROWS})`,
    values,
  )
  return { total: Number(row?.count ?? 0), items: items.map(toCall) }
}

function containing(text: string | undefined): Condition[] {
  if (!text) return []
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return [["content || ' ' || ip || ' ' || username LIKE ? ESCAPE '\\'", pattern]]
}
