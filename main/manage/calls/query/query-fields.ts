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

/** Kinds of values, to follow "takes". */
export const valueKinds = {
  text: 'a text, in quotation marks where it has spaces',
  flag: 'yes or no',
  time: 'a day or time such as 2026-11-01, 2026-11-01T10:30 or 2h (ago)',
  status: 'a status such as 404, 5xx, >=400 or 400..499',
  type: 'one of call, error',
  id: 'a request id, or a part of one',
  duration: 'a time such as >5s, 300ms or 1m..5m',
  count: 'a number such as >1000, 10k or 1k..5k',
  dollars: 'dollars such as >0.1, $2 or 0.1..1',
  percentage: 'a percentage such as >50%, <10% or 20%..80%',
} as const

type ValueKind = keyof typeof valueKinds

export interface QueryField {
  read: Read
  takes: ValueKind
  /** Others neither see the field nor may learn of it by searching. */
  isAdministrators?: true
}

const text = (field: TextField): QueryField => ({
  read: (value) => [{ test: 'contains', fields: [field], text: value }],
  takes: 'text',
})

const range = (
  field: NumberField,
  readOne: (text: string) => number | null,
  takes: ValueKind,
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
  takes: 'flag',
})

const source = (name: 'running' | 'refused'): QueryField => ({
  read(value) {
    const is = readFlag(value)
    return is === null ? null : [{ test: 'source', source: name, isContrary: !is }]
  },
  takes: 'flag',
})

const time = (end: 'atLeast' | 'below'): QueryField => ({
  read(value, now) {
    const at = readTime(value, now)
    return at === null ? null : [{ test: 'range', field: 'time', range: { [end]: at } }]
  },
  takes: 'time',
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
  takes: 'status',
}

const type: QueryField = {
  read(value) {
    const name = value.toLowerCase()
    const types = Object.hasOwn(callTypes, name) ? callTypes[name] : undefined
    return types ? [{ test: 'types', types }] : null
  },
  takes: 'type',
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
  takes: 'id',
}

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
    takes: 'text',
  },
  slow: range('duration', readDuration, 'duration'),
  first_token: range('firstToken', readDuration, 'duration'),
  cost: range('quota', readCost, 'dollars'),
  cached: range('cached', readPercent, 'percentage'),
  input: range('input', readCount, 'count'),
  output: range('output', readCount, 'count'),
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
