import type { CallFilter } from '../call-row.ts'
import { type Condition, equal, modelConditions } from '../sql-conditions.ts'

/** Columns that a model call is summed by, beside its hour and its user. */
export type HourDimension = 'model' | 'token' | 'channel'

export interface HourTable {
  name: 'usage_hours' | 'token_hours' | 'channel_hours'
  /** The columns that make a line, in the order of its primary key after the hour. */
  columns: Readonly<Partial<Record<FilterField, string>>>
}

type FilterField = Exclude<keyof CallFilter, 'start' | 'end' | 'type' | 'requestId'>

const person = { userId: 'user_id', username: 'username' } as const

/** The tables that hold sums of model calls by the hour, and what each can be asked by. */
export const hourTables: Readonly<Record<HourDimension, HourTable>> = {
  model: { name: 'usage_hours', columns: { ...person, modelName: 'model' } },
  token: {
    name: 'token_hours',
    columns: { ...person, tokenId: 'token_id', tokenName: 'token_name', group: 'user_group' },
  },
  channel: { name: 'channel_hours', columns: { ...person, channelId: 'channel_id' } },
}

export const SECONDS_PER_HOUR = 3600

const isTime = (name: string): boolean => name === 'start' || name === 'end' || name === 'type'

/**
 * The table whose lines come closest to a filter; `isExact` when they know all that it asks, but for the
 * type of the calls.
 */
export function hourTableFor(filter: CallFilter): { table: HourTable; isExact: boolean } {
  const asked = Object.entries(filter)
    .filter(([name, value]) => value !== undefined && !isTime(name))
    .map(([name]) => name)
  const known = ({ columns }: HourTable) => asked.filter((name) => name in columns).length
  const { model, token, channel } = hourTables
  const exact = [model, token, channel].find((table) => known(table) === asked.length)
  if (exact) return { table: exact, isExact: true }
  const closest = [channel, token, model].reduce((best, table) =>
    known(table) > known(best) ? table : best,
  )
  return { table: closest, isExact: false }
}

/** The filter's conditions that a table's lines can be held against. */
export const lineConditions = ({ columns }: HourTable, filter: CallFilter): Condition[] =>
  (Object.entries(columns) as [FilterField, string][]).flatMap(([field, column]) =>
    field === 'modelName' ? modelConditions(filter.modelName) : equal(column, filter[field]),
  )
