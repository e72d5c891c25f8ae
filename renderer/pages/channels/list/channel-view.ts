import type { OperationInput } from '../../../../preload/contract.ts'

export const sortColumns = [
  'priority',
  'name',
  'id',
  'response_time',
  'test_time',
  'balance',
] as const

/** Parameters of the page’s URL: what leaves channels out, and how the others are shown. */
export const channelFilters = ['q', 'model', 'status', 'type', 'group'] as const
export const channelArrangement = ['sort', 'view'] as const

/** `type` is a channel type's number; `view` is `tags`, or empty for the list. */
export type ChannelView = Readonly<
  Record<(typeof channelFilters)[number] | (typeof channelArrangement)[number], string>
>

export const isByTag = ({ view }: ChannelView): boolean => view === 'tags'

export const sortOf = ({ sort }: ChannelView): (typeof sortColumns)[number] =>
  sortColumns.find((column) => column === sort) ?? 'priority'

/** Names and response times sort ascending, everything else descending. */
const ascending: readonly string[] = ['name', 'response_time']

/** Fields of the API. */
export function queryOfView(view: ChannelView): OperationInput<'channel.search'> {
  const sort = sortOf(view)
  return {
    keyword: view.q.trim(),
    model: view.model.trim(),
    status: view.status,
    group: view.group,
    ...(Number(view.type) > 0 ? { type: Number(view.type) } : {}),
    ...(sort === 'priority'
      ? {}
      : { sort_by: sort, sort_order: ascending.includes(sort) ? 'asc' : 'desc' }),
    ...(isByTag(view) ? { tag_mode: true } : {}),
  }
}
