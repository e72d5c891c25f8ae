import { Badge, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './option-theme.module.css'

interface OptionThemeProps {
  title: string
  /** Options that differ from their default, and edits that aren't saved. */
  changed: number
  unsaved: number
  children: ReactNode
}

/** Folded at first; its heading opens it. */
export function OptionTheme({ title, changed, unsaved, children }: OptionThemeProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.theme}>
      <h3 className={styles.heading}>
        <UnstyledButton
          className={styles.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={14} aria-hidden data-open={isOpen || undefined} />
          {title}
        </UnstyledButton>
        {changed > 0 && <Badge color="blue">{t('options.changedCount', { count: changed })}</Badge>}
        {unsaved > 0 && (
          <Badge color="orange">{t('options.unsavedCount', { count: unsaved })}</Badge>
        )}
      </h3>
      {isOpen && <div className={styles.lines}>{children}</div>}
    </div>
  )
}
