import { useQuery } from '@tanstack/react-query'
import type { OperationOutput } from '../../preload/contract.ts'
import { type CallFailure, toCallFailure } from './call-failure.ts'
import { useGateway } from './gateway-context.ts'

/** Operations that answer with a page of records. */
type Paged = 'channel.list' | 'token.list'

/** Records of a page, the most that the gateway gives. */
const pageSize = 100
/** Pages that are read at most. */
const mostPages = 50

/** All records of a list, read page by page; for what must know each. Repeated with the list’s other reads. */
export function useEvery<Name extends Paged>(name: Name, { enabled = true } = {}) {
  type Item = OperationOutput<Name>['items'][number]
  const client = useGateway()
  return useQuery<Item[], CallFailure>({
    queryKey: [name, 'every'],
    queryFn: async ({ signal }) => {
      const all: Item[] = []
      try {
        for (let p = 1; p <= mostPages; p++) {
          const { data } = await client.call<Paged>(name, { p, page_size: pageSize }, signal)
          const { items, total } = data as { items: Item[]; total: number }
          all.push(...items)
          if (items.length < pageSize || all.length >= total) break
        }
        return all
      } catch (error) {
        throw toCallFailure(error)
      }
    },
    enabled,
  })
}
