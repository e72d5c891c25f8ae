import styles from './figures.module.css'

export interface Figure {
  name: string
  value: string
  /** A smaller second line. */
  detail?: string | undefined
  bad?: boolean
  /** Smaller, for words instead of a number. */
  muted?: boolean
}

interface FiguresProps {
  figures: readonly Figure[]
  label: string
  /** Rows of five equal columns. */
  even?: boolean
}

export function Figures({ figures, label, even }: FiguresProps) {
  return (
    <dl className={styles.figures} data-even={even || undefined} aria-label={label}>
      {figures.map((figure) => (
        <div key={figure.name} className={styles.figure}>
          <dt>{figure.name}</dt>
          <dd data-bad={figure.bad || undefined} data-muted={figure.muted || undefined}>
            {figure.value}
            {figure.detail && <small>{figure.detail}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
