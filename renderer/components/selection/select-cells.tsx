import { Checkbox, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RowSelection } from './use-row-selection.ts'

/** The head's cell: ticks every row of the page. */
export function SelectAllCell({ selection }: { selection: RowSelection }) {
  const { t } = useTranslation()
  return (
    <Table.Th w={36}>
      <Checkbox
        size="xs"
        checked={selection.state === 'all'}
        indeterminate={selection.state === 'some'}
        onChange={(event) => selection.setAll(event.currentTarget.checked)}
        aria-label={t('selection.all')}
      />
    </Table.Th>
  )
}

interface SelectCellProps {
  selection: RowSelection
  row: { id: number; name: string }
}

/** A row's cell: ticks it; with Shift also the rows up to the one that was ticked before. */
export function SelectCell({ selection, row }: SelectCellProps) {
  const { t } = useTranslation()
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
