import { useTranslation } from 'react-i18next'
import { DeleteSelected } from '../../components/selection/delete-selected.tsx'
import { SelectionBar } from '../../components/selection/selection-bar.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'

export function TokenBulkActions({ selection }: { selection: RowSelection }) {
  const { t } = useTranslation()
  const count = selection.ids.length
  return (
    <SelectionBar selection={selection}>
      <DeleteSelected
        selection={selection}
        deletes="token.batch-delete"
        reads={['token.list']}
        title={t('tokens.deleteManyTitle', { count })}
        text={t('tokens.deleteManyText', { count })}
      />
    </SelectionBar>
  )
}
