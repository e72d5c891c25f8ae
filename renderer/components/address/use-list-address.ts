import { useMemo } from 'react'
import { useAddress } from './use-address.ts'

/**
 * A list as its URL says it, also after a reload and Back: the filters by these names, `?page=`, and the open record
 * (`?open=`, `?new=1`). Filters are texts; an empty one is none. `arrangement` names what is kept too and leaves nothing
 * out, such as the sorting.
 */
export function useListAddress<Name extends string, Kept extends string = never>(
  names: readonly Name[],
  arrangement: readonly Kept[] = [],
) {
  const { search, change } = useAddress()
  const all: readonly (Name | Kept)[] = [...names, ...arrangement]
  const text = all.map((name) => search.get(name) ?? '').join('\n')
  // The same object while its texts are: what is debounced must not change on each drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts say all
  const filters = useMemo(
    () =>
      Object.fromEntries(all.map((name) => [name, search.get(name) ?? ''])) as Record<
        Name | Kept,
        string
      >,
    [text],
  )
  const opened = search.get('open') ?? ''
  return {
    filters,
    isFiltered: names.some((name) => (filters as Record<Name, string>)[name].trim() !== ''),
    /** Typing adds no steps to the browser's history. */
    filter: (values: Partial<Record<Name | Kept, string>>) =>
      change({ ...(values as Record<string, string>), page: '' }, true),
    clear: () => change({ ...Object.fromEntries(names.map((name) => [name, ''])), page: '' }, true),
    page: Math.max(1, Math.trunc(Number(search.get('page'))) || 1),
    turnTo: (page: number) => change({ page: page === 1 ? '' : String(page) }, true),
    opened,
    openId: Number(opened) || null,
    isNew: search.has('new'),
    isOpen: Number(opened) > 0 || search.has('new'),
    open: (id: number | string) =>
      change(id === 'new' ? { new: '1', open: '' } : { new: '', open: String(id) }),
    close: () => change({ new: '', open: '' }, true),
  }
}

export type ListAddress<Name extends string, Kept extends string = never> = ReturnType<
  typeof useListAddress<Name, Kept>
>
