import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../components/format/use-format.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import { type FieldEntry, type FieldName, fieldEntries } from './query-fields.ts'
import { type TermAtCaret, termOf } from './query-terms.ts'

export interface Completion {
  /** As the list shows it. */
  text: string
  /** For a field what it holds, for a value how many rows have it. */
  detail: string
  /** Takes the term's place. */
  insert: string
  /** Set for a value: it completes the term. */
  isWhole: boolean
}

const mostShown = 12

/** How the term at the caret may go on: field names, then values. */
export function useCompletions(term: TermAtCaret, isOpen: boolean): Completion[] {
  const { t } = useTranslation()
  const format = useFormat()
  const isAdministrator = useIsAdministrator()
  const fields = fieldEntries.filter(
    (entry: FieldEntry) => isAdministrator || !entry.isAdministrators,
  )
  const field: (FieldEntry & { name: FieldName }) | undefined = fields.find(
    ({ name }) => name === term.field,
  )
  const [prefix] = useDebouncedValue(term.part, 150)
  const suggested = useOperation(
    'call.suggest',
    { field: term.field ?? '', prefix },
    { enabled: isOpen && field?.isListed === true, keepPrevious: true },
  )
  const minus = term.isNegated ? '-' : ''

  if (term.field === null) {
    const part = term.part.toLowerCase()
    return fields
      .filter(({ name }) => name.startsWith(part))
      .map(({ name }) => ({
        text: `${minus}${name}:`,
        detail: t(`callQuery.field_${name}`),
        insert: `${minus}${name}:`,
        isWhole: false,
      }))
  }
  if (!field) return []
  const part = term.part.toLowerCase()
  const fixed = (field.values ?? []).map((value) => ({ value, count: null }))
  const listed = field.isListed ? (suggested.data?.values ?? []) : []
  return [...fixed, ...listed]
    .filter(({ value }) => value.toLowerCase().includes(part))
    .slice(0, mostShown)
    .map(({ value, count }) => ({
      text: value,
      detail: count === null ? '' : t('callQuery.rows', { count, shown: format.count(count) }),
      insert: minus + termOf(field.name, value),
      isWhole: true,
    }))
}
