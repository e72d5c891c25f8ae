import type { OperationInput } from '../../../../preload/contract.ts'

export const sortColumns = [
  'priority',
  'name',
  'id',
  'response_time',
  'test_time',
  'balance',
] as const

export interface ChannelView {
  keyword: string
  model: string
  status: string | null
  /** A channel type's number. */
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

export const isFiltered = (view: ChannelView): boolean =>
  view.keyword.trim() !== '' ||
  view.model.trim() !== '' ||
  view.status !== null ||
  view.type !== null ||
  view.group !== null

/** Names and response times sort ascending, everything else descending. */
const ascending: readonly string[] = ['name', 'response_time']

/** Fields of the API. */
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
