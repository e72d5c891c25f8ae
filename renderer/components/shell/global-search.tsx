import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'
import styles from './global-search.module.css'

export const searchDialog = lazyCode(async () => (await import('./search-dialog.tsx')).SearchDialog)

/** Opens with Ctrl/⌘ K. */
export function GlobalSearch() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  // Its dialog stays, to close calmly and to give the focus back.
  const wasOpened = useRef(false)
  wasOpened.current ||= opened
  useHotkeys([['mod+K', dialog.toggle]], [])
  const keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

  return (
    <>
      <UnstyledButton
        className={styles.trigger}
        onClick={dialog.open}
        aria-label={`${t('shell.searchPlaceholder')} ${keys}`}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <IconSearch size={14} aria-hidden />
        <span className={styles.hint}>{t('shell.searchPlaceholder')}</span>{' '}
        <Kbd size="xs" className={styles.keys}>
          {keys}
        </Kbd>
      </UnstyledButton>
      {wasOpened.current && (
        <LazyPart code={searchDialog} props={{ opened, onClose: dialog.close }} isOver />
      )}
    </>
  )
}
