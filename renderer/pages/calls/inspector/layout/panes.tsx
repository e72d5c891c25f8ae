import type { ReactNode } from 'react'
import styles from './panes.module.css'

/** Two sides of a border beside each other; one below the other where there is little room. */
export function Panes({ children }: { children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <div className={styles.panes}>{children}</div>
    </div>
  )
}

interface PaneProps {
  title: string
  /** Method and URL, or the status. */
  line?: ReactNode
  children: ReactNode
}

export function Pane({ title, line, children }: PaneProps) {
  return (
    <section className={styles.pane} aria-label={title}>
      <header className={styles.head}>
        <div className={styles.title}>{title}</div>
        {line && <div className={styles.words}>{line}</div>}
      </header>
      {children}
    </section>
  )
}
