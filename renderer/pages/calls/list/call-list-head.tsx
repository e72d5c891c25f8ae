import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type CallColumn, columnFacts, type SortField } from './call-columns.ts'
import styles from './call-list.module.css'

interface CallListHeadProps {
  columns: readonly CallColumn[]
  sort: SortField
  order: 'asc' | 'desc'
  onSort: (sort: SortField) => void
}

export function CallListHead({ columns, sort, order, onSort }: CallListHeadProps) {
  const { t } = useTranslation()
  return (
    <>
      <colgroup>
        {columns.map((column) => (
          <col key={column} width={column === 'model' ? undefined : columnFacts[column].width} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map((column) => {
            const { label, sort: field, isNumeric } = columnFacts[column]
            const isSorted = field === sort
            return (
              <th
                key={column}
                scope="col"
                className={isNumeric && 'numeric'}
                aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
              >
                {field ? (
                  <UnstyledButton className={styles.sort} onClick={() => onSort(field)}>
                    {t(label)}
                    <span aria-hidden>{isSorted && (order === 'asc' ? ' ↑' : ' ↓')}</span>
                  </UnstyledButton>
                ) : (
                  t(label)
                )}
              </th>
            )
          })}
        </tr>
      </thead>
    </>
  )
}
