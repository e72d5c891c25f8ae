import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'
import { useFocusBack } from '../lazy/use-focus-back.ts'
import { keyText } from '../shortcuts/key-text.ts'
import { shortcuts } from '../shortcuts/shortcuts.ts'
import { useShortcut } from '../shortcuts/use-shortcut.ts'
import styles from './global-search.module.css'

export const searchDialog = lazyCode(
  async () => (await import('../../pages/search/search-dialog.tsx')).SearchDialog,
)

/** Opens with Ctrl/⌘ K. */
export function GlobalSearch() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
  // Its dialog stays, to close calmly.
  const wasOpened = useRef(false)
  wasOpened.current ||= opened
  useFocusBack(opened)
  useShortcut('search', dialog.toggle)
  const keys = keyText(shortcuts.everywhere.search[0])

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
