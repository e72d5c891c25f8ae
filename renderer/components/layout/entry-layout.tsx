import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageSelect } from '../forms/language-select.tsx'
import { BrandMark } from '../shell/brand-mark.tsx'
import styles from './entry-layout.module.css'

interface EntryLayoutProps {
  title: string
  hint: string
  wide?: boolean
  children: ReactNode
}

/** The frame of the first run and the login. */
export function EntryLayout({ title, hint, wide = false, children }: EntryLayoutProps) {
  return (
    <main className={styles.entrance}>
      <div className={styles.card} data-wide={wide || undefined}>
        <div className={styles.head}>
          <BrandMark size={30} />
          <LanguageSelect />
        </div>
        <Title order={1}>{title}</Title>
        <Text c="dimmed" mb="lg">
          {hint}
        </Text>
        {children}
      </div>
    </main>
  )
}
