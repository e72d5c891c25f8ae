import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './panel.module.css'

interface PanelProps {
  title?: string
  hint?: string
  actions?: ReactNode
  /** No padding, for tables. */
  flush?: boolean
  children: ReactNode
}

export function Panel({ title, hint, actions, flush, children }: PanelProps) {
  return (
    <div className={styles.panel}>
      {title && (
        <Group justify="space-between" gap="xs" className={styles.head}>
          <div>
            <Title order={2}>{title}</Title>
            {hint && <Text c="dimmed">{hint}</Text>}
          </div>
          {actions}
        </Group>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </div>
  )
}
