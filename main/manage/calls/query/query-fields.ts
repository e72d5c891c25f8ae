import type {
  CallFlag,
  NumberField,
  SearchTest,
  TextField,
} from '../../../store/ledger/search/search-condition.ts'
import { spanOfRequest } from '../../../store/ledger/sql-conditions.ts'
import { readRange } from './read-range.ts'
import {
  readCost,
  readCount,
  readDuration,
  readFlag,
  readPercent,
  readStatus,
  readTime,
} from './read-value.ts'

/** Conditions that must all hold; null where the value can't be read. A contrary has the first alone. */
type Read = (value: string, now: number) => (SearchTest & { isContrary?: boolean })[] | null

export interface QueryField {
  read: Read
  /** Its values, to follow "takes". */
  takes: string
  /** Others neither see the field nor may learn of it by searching. */
  isAdministrators?: true
}

const text = (field: TextField): QueryField => ({
  read: (value) => [{ test: 'contains', fields: [field], text: value }],
  takes: 'a text, in quotation marks where it has spaces',
})

const range = (
  field: NumberField,
  readOne: (text: string) => number | null,
  takes: string,
): QueryField => ({
  read(value) {
    const read = readRange(value, readOne, false)
    return read && [{ test: 'range', field, range: read }]
  },
  takes,
})

const flag = (name: CallFlag): QueryField => ({
  read(value) {
    const is = readFlag(value)
    return is === null ? null : [{ test: 'flag', flag: name, isContrary: !is }]
  },
  takes: 'yes or no',
})

const source = (name: 'running' | 'refused'): QueryField => ({
  read(value) {
    const is = readFlag(value)
    return is === null ? null : [{ test: 'source', source: name, isContrary: !is }]
  },
  takes: 'yes or no',
})

const time = (end: 'atLeast' | 'below'): QueryField => ({
  read(value, now) {
    const at = readTime(value, now)
    return at === null ? null : [{ test: 'range', field: 'time', range: { [end]: at } }]
  },
  takes: 'a day or time such as 2026-11-01, 2026-11-01T10:30 or 2h (ago)',
})

/** By the log's types (management-api §9). */
export const callTypes: Readonly<Record<string, readonly number[]>> = {
  call: [2, 5],
  error: [5],
}

const status: QueryField = {
  read(value) {
    const [, hundreds] = /^([1-5])xx$/i.exec(value) ?? []
    const first = Number(hundreds) * 100
    const read = hundreds
      ? { atLeast: first, atMost: first + 99 }
      : readRange(value, readStatus, true)
    return read && [{ test: 'range', field: 'status', range: read }]
  },
  takes: 'a status such as 404, 5xx, >=400 or 400..499',
}

const type: QueryField = {
  read(value) {
    const name = value.toLowerCase()
    const types = Object.hasOwn(callTypes, name) ? callTypes[name] : undefined
    return types ? [{ test: 'types', types }] : null
  },
  takes: `one of ${Object.keys(callTypes).join(', ')}`,
}

/** An id begins with its time, which tells where to look. */
const id: QueryField = {
  read(value) {
    const span = spanOfRequest(value)
    return [
      { test: 'contains', fields: ['requestId'], text: value },
      ...(span
        ? [
            {
              ...{ test: 'range' as const, field: 'time' as const },
              range: { atLeast: span.start, atMost: span.end },
            },
          ]
        : []),
    ]
  },
  takes: 'a request id, or a part of one',
}

const DURATION = 'a time such as >5s, 300ms or 1m..5m'
const COUNT = 'a number such as >1000, 10k or 1k..5k'

export const queryFields = {
  status,
  type,
  model: text('model'),
  channel: { ...text('channel'), isAdministrators: true },
  token: text('token'),
  user: { ...text('user'), isAdministrators: true },
  client: text('client'),
  session: text('session'),
  path: text('path'),
  format: text('format'),
  error: text('error'),
  id,
  text: {
    read: (value) => [{ test: 'message', text: value, requestIds: [] }],
    takes: 'a text, in quotation marks where it has spaces',
  },
  slow: range('duration', readDuration, DURATION),
  first_token: range('firstToken', readDuration, DURATION),
  cost: range('quota', readCost, 'dollars such as >0.1, $2 or 0.1..1'),
  cached: range('cached', readPercent, 'a percentage such as >50%, <10% or 20%..80%'),
  input: range('input', readCount, COUNT),
  output: range('output', readCount, COUNT),
  stream: flag('stream'),
  loss: flag('loss'),
  cut: flag('cut'),
  estimated: flag('estimated'),
  replay: flag('replay'),
  running: source('running'),
  refused: source('refused'),
  after: time('atLeast'),
  before: time('below'),
} satisfies Record<string, QueryField> as Readonly<Record<string, QueryField>>
