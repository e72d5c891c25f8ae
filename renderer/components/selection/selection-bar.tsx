import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './selection-bar.module.css'
import type { RowSelection } from './use-row-selection.ts'

interface SelectionBarProps {
  selection: RowSelection
  /** Buttons of the bulk actions. */
  children: ReactNode
}

/** Sticks to the top while the list scrolls. */
export function SelectionBar({ selection, children }: SelectionBarProps) {
  const { t } = useTranslation()
  const count = selection.ids.length
  if (count === 0) return null
  return (
    <section className={styles.bar} aria-label={t('selection.bar')}>
      <Text fw={500} role="status">
        {t('selection.count', { count })}
      </Text>
      <Group gap={6} className={styles.actions}>
        {children}
      </Group>
      <Button variant="subtle" color="gray" className={styles.clear} onClick={selection.clear}>
        {t('selection.clear')}
      </Button>
    </section>
  )
}
