import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from '../actions/copy-text.tsx'
import { CutName } from './cut-name.tsx'
import styles from './record-name.module.css'

interface RecordNameProps {
  id: number
  name: string
  /** Names the ID for screen readers: "channel ID". */
  idLabel: string
  onOpen: () => void
  /** Badges. */
  children?: ReactNode
}

/** The name opens the record; the ID copies itself. */
export function RecordName({ id, name, idLabel, onOpen, children }: RecordNameProps) {
  return (
    <div className={styles.name}>
      <CutName name={name}>
        <Anchor component="button" className={styles.open} onClick={onOpen}>
          {name || `#${id}`}
        </Anchor>
      </CutName>
      <span className={styles.id}>
        <CopyText value={String(id)} label={idLabel}>
          #{id}
        </CopyText>
      </span>
      {children}
    </div>
  )
}
