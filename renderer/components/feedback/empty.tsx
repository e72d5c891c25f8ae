import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  icon: ReactNode
  title: string
  /** Names the next step. */
  hint: string
  children?: ReactNode
}

export function Empty({ icon, title, hint, children }: EmptyProps) {
  return (
    <Stack align="center" gap={6} className={styles.empty}>
      <div className={styles.icon} aria-hidden>
        {icon}
      </div>
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" maw={420} ta="center">
        {hint}
      </Text>
      {children && <div className={styles.actions}>{children}</div>}
    </Stack>
  )
}
