import { isDeepStrictEqual } from 'node:util'

/** How one field would change, as texts without secrets. */
export interface Change {
  field: string
  from: string
  to: string
}

/** Names of the fields whose values differ. */
const changedFields = <Fields extends object>(before: Fields, after: Fields): string[] =>
  Object.entries(after)
    .filter(([name, value]) => !isDeepStrictEqual(before[name as keyof Fields], value))
    .map(([name]) => name)

/** Characters of a value that a preview shows. */
const MOST_SHOWN = 200

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string')
  const text = isList ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
  if (text === '') return '–'
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text
}

/** The fields that differ. `shown` gives both sides without their secrets. */
export function changesOf<Fields extends object>(
  before: Fields,
  after: Fields,
  shown: (fields: Fields) => object = (fields) => fields,
): Change[] {
  const names = changedFields(before, after)
  if (names.length === 0) return []
  const [from, to] = [shown(before), shown(after)].map((fields) => new Map(Object.entries(fields)))
  return names.map((field) => ({
    field,
    from: textOf(from?.get(field)),
    to: textOf(to?.get(field)),
  }))
}
