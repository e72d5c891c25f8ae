import styles from './figures.module.css'

export interface Figure {
  name: string
  value: string
  /** A second, smaller line. */
  detail?: string | undefined
  bad?: boolean
  /** Words instead of a number: smaller. */
  muted?: boolean
}

interface FiguresProps {
  figures: readonly Figure[]
  label: string
  /** Several lines of five, each of the same width. */
  even?: boolean
}

/** Some numbers in one line, each under its name. */
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
