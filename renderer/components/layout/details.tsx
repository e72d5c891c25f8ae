import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import styles from './details.module.css'

interface DetailsProps {
  title: string
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

/** Folded content below a button that opens it. */
export function Details({ title, isOpen, onToggle, children }: DetailsProps) {
  const id = useId()
  return (
    <div className={styles.details}>
      <UnstyledButton
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
        {title}
      </UnstyledButton>
      {isOpen && <div id={id}>{children}</div>}
    </div>
  )
}
