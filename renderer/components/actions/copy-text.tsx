import { UnstyledButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Tip } from '../feedback/tip.tsx'
import styles from './copy-text.module.css'

interface CopyTextProps {
  value: string
  /** Shown instead of the value. */
  children?: ReactNode
  /** Names the value for screen readers: "request ID". */
  label: string
  /** Wraps a long path instead of truncating it. */
  wraps?: boolean
}

/** Copies its value when clicked. */
export function CopyText({ value, children, label, wraps }: CopyTextProps) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1200 })
  const copy = (event: MouseEvent) => {
    event.stopPropagation()
    clipboard.copy(value)
  }
  return (
    <Tip label={clipboard.copied ? t('common.copied') : t('common.clickToCopy')}>
      <UnstyledButton
        className={styles.copy}
        data-copied={clipboard.copied || undefined}
        data-wraps={wraps || undefined}
        onClick={copy}
        aria-label={t('common.copyThing', { thing: label, value })}
      >
        {clipboard.copied ? t('common.copied') : (children ?? value)}
      </UnstyledButton>
    </Tip>
  )
}
