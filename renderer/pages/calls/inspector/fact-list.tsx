import type { ReactNode } from 'react'
import styles from './inspector.module.css'

interface FactListProps {
  facts: readonly (readonly [term: string, value: ReactNode])[]
}

/** Terms and values, in as many columns as there is room for. */
export function FactList({ facts }: FactListProps) {
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
