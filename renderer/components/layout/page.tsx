import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  title: string
  hint?: string
  actions?: ReactNode
  /** For forms, which are read rather than scanned. */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a page: its name, one line on what it is for, its actions, its content. */
export function Page({ title, hint, actions, narrow, children }: PageProps) {
  return (
    <section className={styles.page} data-narrow={narrow || undefined} aria-labelledby="page-title">
      <Group justify="space-between" align="flex-start" gap="sm" className={styles.head}>
        <div>
          <Title order={1} id="page-title">
            {title}
          </Title>
          {hint && <Text c="dimmed">{hint}</Text>}
        </div>
        {actions && <Group gap={8}>{actions}</Group>}
      </Group>
      {children}
    </section>
  )
}
