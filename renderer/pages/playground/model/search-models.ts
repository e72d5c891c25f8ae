import type { CatalogueEntry } from '../../../gateway/records.ts'

/** The models of one vendor, in the gateway's order. */
export interface VendorModels {
  vendor: string
  entries: CatalogueEntry[]
}

const textOf = ({ id, display_name, vendor, channels }: CatalogueEntry): string =>
  [id, display_name, vendor, ...channels.map(({ name }) => name)].join('\n').toLowerCase()

/**
 * The models whose id, name, vendor or channels hold every word of the search, by vendor. A model whose id or name
 * begins with the search comes first.
 */
export function searchModels(entries: readonly CatalogueEntry[], search: string): VendorModels[] {
  const asked = search.trim().toLowerCase()
  const words = asked.split(/\s+/).filter(Boolean)
  const found = entries.filter((entry) => {
    const text = textOf(entry)
    return words.every((word) => text.includes(word))
  })
  const begins = ({ id, display_name }: CatalogueEntry) =>
    id.toLowerCase().startsWith(asked) || display_name.toLowerCase().startsWith(asked)
  const sorted = asked === '' ? found : [...found].sort((a, b) => +begins(b) - +begins(a))
  const vendors = new Map<string, CatalogueEntry[]>()
  for (const entry of sorted) {
    const own = vendors.get(entry.vendor)
    if (own) own.push(entry)
    else vendors.set(entry.vendor, [entry])
  }
  return [...vendors].map(([vendor, of]) => ({ vendor, entries: of }))
}
