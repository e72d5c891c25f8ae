import { Button, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useIsAdministrator } from '../../../gateway/use-role.ts'
import {
  alwaysShown,
  type CallColumn,
  callColumns,
  columnFacts,
  type SortField,
} from './call-columns.ts'

interface ViewMenuProps {
  columns: readonly CallColumn[]
  onColumns: (columns: CallColumn[]) => void
  sort: SortField
  onSort: (sort: SortField) => void
}

/** Columns and sorting; the latter also by columns for which the window is too narrow. */
export function ViewMenu({ columns, onColumns, sort, onSort }: ViewMenuProps) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const offered = callColumns.filter(
    (column) => isAdministrator || !columnFacts[column].isAdministrators,
  )
  const toggle = (column: CallColumn) =>
    onColumns(
      callColumns.filter((one) =>
        one === column ? !columns.includes(one) : columns.includes(one),
      ),
    )
  return (
    <Menu
      position="bottom-end"
      closeOnItemClick={false}
      shadow="md"
      styles={{ item: { paddingBlock: 3 }, label: { paddingBlock: 4 } }}
    >
      <Menu.Target>
        <Button variant="default" leftSection={<IconAdjustmentsHorizontal size={14} />} flex="none">
          {t('callList.view')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }} aria-label={t('callList.view')}>
        <Menu.Label>{t('callList.columns')}</Menu.Label>
        {offered
          .filter((column) => !alwaysShown.has(column))
          .map((column) => (
            <Menu.CheckboxItem
              key={column}
              checked={columns.includes(column)}
              onChange={() => toggle(column)}
            >
              {t(columnFacts[column].label)}
            </Menu.CheckboxItem>
          ))}
        <Menu.Divider />
        <Menu.Label>{t('callList.sortBy')}</Menu.Label>
        {callColumns.map((column) => {
          const { sort: field, label } = columnFacts[column]
          return (
            field && (
              <Menu.RadioItem
                key={column}
                value={field}
                checked={field === sort}
                onChange={() => field !== sort && onSort(field)}
              >
                {t(label)}
              </Menu.RadioItem>
            )
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
