import { Kbd, Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './global-search.module.css'
import { SearchResults } from './search-results.tsx'

/** Opens with Ctrl/⌘ K. */
export function GlobalSearch() {
  const { t } = useTranslation()
  const [opened, dialog] = useDisclosure(false)
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
      <Modal
        opened={opened}
        onClose={dialog.close}
        withCloseButton={false}
        padding={0}
        size={540}
        centered={false}
        yOffset="12vh"
        attributes={{ content: { 'aria-label': t('common.search') } }}
      >
        <SearchResults onDone={dialog.close} />
      </Modal>
    </>
  )
}
