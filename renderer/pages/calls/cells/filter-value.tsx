import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCallsActions } from '../calls-context.ts'
import styles from './filter-value.module.css'

interface FilterValueProps {
  /** Name of the query bar's field. */
  field: string
  value: string
  /** Shown instead of the value. */
  children?: ReactNode
  /** In a row of the list, where Tab goes from row to row: the panel has the same value within reach of Tab. */
  inRow?: boolean
}

/** A value that filters the list by itself when clicked. */
export function FilterValue({ field, value, children, inRow }: FilterValueProps) {
  const { t } = useTranslation()
  const { addFilter } = useCallsActions()
  if (value === '') return <>–</>
  return (
    <button
      type="button"
      className={styles.value}
      tabIndex={inRow ? -1 : undefined}
      title={t('callQuery.filterBy', { term: `${field}:${value}` })}
      onClick={(event) => {
        event.stopPropagation()
        addFilter(field, value)
      }}
    >
      {children ?? value}
    </button>
  )
}
