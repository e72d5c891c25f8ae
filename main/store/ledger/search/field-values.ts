import type { NameTable } from './name-table.ts'
import type { FieldValue, ListedField } from './searches.ts'

/** A field's values with their counts, by name where the counted are ids: those that begin so first, then the commonest. */
export function valuesOfField(
  field: ListedField,
  counts: ReadonlyMap<string | number, number>,
  names: NameTable,
  part: string,
  limit: number,
): FieldValue[] {
  const isStored = field === 'status' || field === 'session' || field === 'requestId'
  const texts = isStored ? null : names.all(field)
  const wanted = part.toLowerCase()
  const found = [...counts].flatMap(([key, count]): (FieldValue & { isStart: boolean })[] => {
    const value = texts ? (texts.get(Number(key)) ?? '') : String(key)
    const at = value.toLowerCase().indexOf(wanted)
    return value === '' || at < 0 ? [] : [{ value, count, isStart: at === 0 }]
  })
  found.sort(
    (one, other) =>
      Number(other.isStart) - Number(one.isStart) ||
      other.count - one.count ||
      (one.value < other.value ? -1 : 1),
  )
  return found.slice(0, limit).map(({ value, count }) => ({ value, count }))
}
