import { type Condition, type Value, where } from '../sql-conditions.ts'
import { bitOf } from './fact-table.ts'
import type { NameTable } from './name-table.ts'
import type {
  NumberField,
  NumberRange,
  SearchCondition,
  SearchTest,
  TextField,
} from './search-condition.ts'

interface Sql {
  sql: string
  values: Value[]
}

export const numberColumns: Readonly<Record<NumberField, string>> = {
  time: 'created_at',
  userId: 'user_id',
  type: 'type',
  status: 'status',
  duration: 'duration',
  firstToken: 'first_token',
  quota: 'quota',
  input: 'input',
  output: 'output',
  cached: 'cached',
}

export const textColumns: Readonly<Record<TextField, string>> = {
  model: 'model',
  channel: 'channel',
  token: 'token',
  user: 'username',
  path: 'path',
  client: 'client',
  format: 'format',
  error: 'error',
  session: 'session',
  requestId: 'request_id',
}

const operators: Readonly<Record<keyof NumberRange, string>> = {
  above: '>',
  atLeast: '>=',
  atMost: '<=',
  below: '<',
}

const NEVER: Sql = { sql: '0', values: [] }

/** A pattern in which nothing but its ends is a wildcard. */
const around = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

function containsSql(field: TextField, text: string, names: NameTable): Sql {
  const column = textColumns[field]
  if (field === 'session' || field === 'requestId') {
    return { sql: `${column} LIKE ? ESCAPE '\\'`, values: [around(text)] }
  }
  const ids = names.containing(field, text)
  if (ids.length === 0) return NEVER
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(ids)] }
}

/** The ends of a range, each a condition; the comparison of a figure that is missing would be null. */
function rangeConditions(field: NumberField, range: NumberRange): Condition[] {
  return Object.entries(operators).flatMap(([end, operator]) => {
    const value = range[end as keyof NumberRange]
    return value === undefined ? [] : [[`${numberColumns[field]} ${operator} ?`, value] as const]
  })
}

function testSql(test: SearchTest, names: NameTable): Sql {
  switch (test.test) {
    case 'contains': {
      const parts = test.fields.map((field) => containsSql(field, test.text, names))
      return {
        sql: parts.map(({ sql }) => sql).join(' OR '),
        values: parts.flatMap(({ values }) => values),
      }
    }
    case 'range': {
      const { sql, values } = where(rangeConditions(test.field, test.range))
      return { sql: sql.replace(/^WHERE /, '') || '1', values }
    }
    case 'flag':
      return { sql: `flags & ${bitOf(test.flag)} <> 0`, values: [] }
    case 'types':
      return {
        sql: 'type IN (SELECT value FROM json_each(?))',
        values: [JSON.stringify(test.types)],
      }
    case 'message':
      return {
        sql: `(flags & ${bitOf('message')} <> 0 AND EXISTS (SELECT 1 FROM calls
          WHERE calls.id = call_facts.id AND calls.content LIKE ? ESCAPE '\\'))
          OR request_id IN (SELECT value FROM json_each(?))`,
        values: [around(test.text), JSON.stringify(test.requestIds)],
      }
    // Rows of the ledger are neither.
    case 'source':
      return NEVER
  }
}

/** The conditions over `call_facts`, to follow another one. No word of who searches stands in the SQL. */
export function conditionSql(conditions: readonly SearchCondition[], names: NameTable): Sql {
  const parts = conditions.map((condition) => {
    const { sql, values } = testSql(condition, names)
    // Bare, the index can use it; what is null neither holds nor holds its contrary.
    if (condition.test === 'range' && !condition.isNegated) return { sql: `(${sql})`, values }
    return { sql: `coalesce(${sql}, 0) = ${condition.isNegated ? 0 : 1}`, values }
  })
  return {
    sql: parts.map(({ sql }) => ` AND ${sql}`).join(''),
    values: parts.flatMap(({ values }) => values),
  }
}
