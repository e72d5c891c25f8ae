import type { ParseKeys } from 'i18next'
import type { TimelineQuestion } from '../../../gateway/use-timeline.ts'
import { keepChoice, readChoice } from '../kept-choice.ts'

export type SortField = TimelineQuestion['sort']

export const callColumns = [
  'time',
  'status',
  'model',
  'token',
  'channel',
  'path',
  'client',
  'session',
  'user',
  'input',
  'output',
  'firstToken',
  'duration',
  'cost',
] as const

export type CallColumn = (typeof callColumns)[number]

interface ColumnFacts {
  label: ParseKeys
  /** Pixels, for "11月27日 12:24:27", "123,456,789", "12 min 34 s"; the model takes what is left. */
  width: number
  sort?: SortField
  isNumeric?: true
  /** Only administrators see whose calls they are. */
  isAdministrators?: true
}

export const columnFacts: Readonly<Record<CallColumn, ColumnFacts>> = {
  time: { label: 'calls.time', width: 126, sort: 'time' },
  status: { label: 'calls.status', width: 70 },
  model: { label: 'calls.model', width: 210 },
  token: { label: 'calls.token', width: 112 },
  channel: { label: 'calls.channel', width: 112, isAdministrators: true },
  path: { label: 'calls.path', width: 170 },
  client: { label: 'callList.client', width: 140 },
  session: { label: 'callList.session', width: 120 },
  user: { label: 'callList.user', width: 100, isAdministrators: true },
  input: { label: 'calls.input', width: 96, sort: 'input', isNumeric: true },
  output: { label: 'calls.output', width: 96, sort: 'output', isNumeric: true },
  firstToken: { label: 'calls.firstToken', width: 92, sort: 'first_token', isNumeric: true },
  duration: { label: 'calls.duration', width: 90, sort: 'duration', isNumeric: true },
  cost: { label: 'calls.cost', width: 98, sort: 'cost', isNumeric: true },
}

export const defaultColumns: readonly CallColumn[] = [
  'time',
  'status',
  'model',
  'token',
  'channel',
  'input',
  'output',
  'firstToken',
  'duration',
  'cost',
]

/** A row without them says nothing. */
export const alwaysShown: ReadonlySet<CallColumn> = new Set(['time', 'status', 'model'])

/** Which of the chosen ones go last where there is little room. */
const byImportance: readonly CallColumn[] = [
  ...(['cost', 'duration', 'channel', 'input', 'output', 'firstToken', 'token'] as const),
  ...(['client', 'path', 'user', 'session'] as const),
]
/** Pixels that the model needs before any further column. */
const leastForModel = 118

/** The chosen columns that fit `width` pixels, in order; all if nothing is measured. */
export function fittingColumns(chosen: readonly CallColumn[], width: number): CallColumn[] {
  if (width === 0) return callColumns.filter((column) => chosen.includes(column))
  const shown = new Set(alwaysShown)
  let left = width - columnFacts.time.width - columnFacts.status.width - leastForModel
  for (const column of byImportance) {
    if (!chosen.includes(column)) continue
    left -= columnFacts[column].width
    if (left < 0) break
    shown.add(column)
  }
  return callColumns.filter((column) => shown.has(column))
}

/** The columns that this browser's user chose. */
export function readColumns(): CallColumn[] {
  const stored = readChoice('columns')
  if (stored === null) return [...defaultColumns]
  const names = stored.split(',')
  return callColumns.filter((column) => alwaysShown.has(column) || names.includes(column))
}

export const keepColumns = (columns: readonly CallColumn[]): void =>
  keepChoice('columns', columns.join())
