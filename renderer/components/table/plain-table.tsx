import type { ReactNode } from 'react'
import styles from './plain-table.module.css'

interface PlainTableProps {
  label: string
  children: ReactNode
}

/** A table for the first screen, for Mantine’s brings 65 KB of scrolling along. */
export function PlainTable({ label, children }: PlainTableProps) {
  return (
    <table className={styles.table} aria-label={label}>
      {children}
    </table>
  )
}
