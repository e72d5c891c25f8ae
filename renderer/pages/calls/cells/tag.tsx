import type { ReactNode } from 'react'
import { readable } from '../../../theme.ts'
import styles from './tag.module.css'

interface TagProps {
  color: 'gray' | 'red' | 'orange' | 'yellow' | 'green' | 'blue' | 'iris'
  /** Says in words what the tag says in few characters. */
  title?: string
  isMono?: boolean
  children: ReactNode
}

/** Looks as a badge; a list of hundreds of rows draws it in a fraction of a badge's time. */
export function Tag({ color, title, isMono, children }: TagProps) {
  return (
    <span
      className={styles.tag}
      data-mono={isMono || undefined}
      style={{
        background: `color-mix(in srgb, var(--mantine-color-${color}-5) 15%, transparent)`,
        color: readable(color),
      }}
      {...(title !== undefined && { role: 'img', 'aria-label': title, title })}
    >
      {children}
    </span>
  )
}
