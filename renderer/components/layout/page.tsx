import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './page.module.css'

interface PageProps {
  title: string
  hint?: string
  actions?: ReactNode
  /** For forms. */
  narrow?: boolean
  /** As wide and high as the window: its parts scroll by themselves. */
  fill?: boolean
  /** For columns side by side. */
  wide?: boolean
  children: ReactNode
}

export function Page({ title, hint, actions, narrow, fill, wide, children }: PageProps) {
  return (
    <section
      className={styles.page}
      data-narrow={narrow || undefined}
      data-fill={fill || undefined}
      data-wide={wide || undefined}
      aria-labelledby="page-title"
    >
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
