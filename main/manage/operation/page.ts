import { z } from 'zod'
import type { PagingInput } from './input-fields.ts'

export interface Paging {
  /** From 1. */
  page: number
  pageSize: number
}

export interface Page<Item> {
  page: number
  page_size: number
  total: number
  items: Item[]
}

/** Output of an operation that answers with a page of items. */
export const pageOutput = <Item>(item: z.ZodType<Item>) =>
  z.strictObject({
    page: z.int().describe('From 1.'),
    page_size: z.int(),
    total: z.int(),
    items: z.array(item),
  })

const LARGEST = 100

const read = (value: number | string | undefined): number => {
  const number = Math.trunc(Number(value))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

/** The page that was asked for; what makes no sense becomes the default, as other clients expect. */
export function readPaging(input: PagingInput, defaultSize = 10): Paging {
  const asked = read(input.page_size) || read(input.ps) || read(input.size)
  return { page: read(input.p) || 1, pageSize: Math.min(asked || defaultSize, LARGEST) }
}

/** One page of a list that is in memory. */
export function pageOf<Item, Shown>(
  list: readonly Item[],
  { page, pageSize }: Paging,
  show: (item: Item) => Shown,
): Page<Shown> {
  const start = (page - 1) * pageSize
  const items = list.slice(start, start + pageSize).map(show)
  return { page, page_size: pageSize, total: list.length, items }
}
