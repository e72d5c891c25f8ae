import type { OperationInput } from '../../../../preload/contract.ts'

/** What the list of channels can be ordered by. */
export const sortColumns = [
  'priority',
  'name',
  'id',
  'response_time',
  'test_time',
  'balance',
] as const

/** What of the channels is shown, and how. */
export interface ChannelView {
  keyword: string
  model: string
  status: string | null
  /** A type's number as text. */
  type: string | null
  group: string | null
  sort: (typeof sortColumns)[number]
  byTag: boolean
}

export const noChannelFilters = {
  keyword: '',
  model: '',
  status: null,
  type: null,
  group: null,
} as const satisfies Partial<ChannelView>

export const firstChannelView: ChannelView = { ...noChannelFilters, sort: 'priority', byTag: false }

/** Whether channels may be left out. */
export const isFiltered = (view: ChannelView): boolean =>
  view.keyword.trim() !== '' ||
  view.model.trim() !== '' ||
  view.status !== null ||
  view.type !== null ||
  view.group !== null

/** Names and times of answers begin with the smallest, all others with the largest. */
const ascending: readonly string[] = ['name', 'response_time']

/** The view as fields of the wire. */
export function queryOfView(view: ChannelView): OperationInput<'channel.search'> {
  return {
    keyword: view.keyword.trim(),
    model: view.model.trim(),
    status: view.status ?? '',
    group: view.group ?? '',
    ...(view.type === null ? {} : { type: Number(view.type) }),
    ...(view.sort === 'priority'
      ? {}
      : { sort_by: view.sort, sort_order: ascending.includes(view.sort) ? 'asc' : 'desc' }),
    ...(view.byTag ? { tag_mode: true } : {}),
  }
}
