import { Checkbox, Table, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RowSelection } from './use-row-selection.ts'

interface SelectHeadProps {
  selection: RowSelection
  /** Its box selects all rows; not where the page has several tables. */
  selectsAll?: boolean
}

export function SelectHead({ selection, selectsAll = true }: SelectHeadProps) {
  const { t } = useTranslation()
  if (!selection.isOffered) return null
  return (
    <Table.Th w={36}>
      {selectsAll ? (
        <Checkbox
          size="xs"
          checked={selection.state === 'all'}
          indeterminate={selection.state === 'some'}
          onChange={(event) => selection.setAll(event.currentTarget.checked)}
          aria-label={t('selection.all')}
        />
      ) : (
        <VisuallyHidden>{t('selection.column')}</VisuallyHidden>
      )}
    </Table.Th>
  )
}

interface SelectCellProps {
  selection: RowSelection
  row: { id: number; name: string }
}

/** With Shift it selects the range from the row that was clicked before. */
export function SelectCell({ selection, row }: SelectCellProps) {
  const { t } = useTranslation()
  if (!selection.isOffered) return null
  return (
    <Table.Td>
      <Checkbox
        size="xs"
        checked={selection.has(row.id)}
        onChange={(event) => {
          const { shiftKey } = event.nativeEvent as MouseEvent
          selection.set(row.id, event.currentTarget.checked, shiftKey === true)
        }}
        aria-label={t('selection.row', { name: row.name || `#${row.id}` })}
      />
    </Table.Td>
  )
}
