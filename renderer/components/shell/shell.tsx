import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { KeychainBanner } from '../keychain/keychain-banner.tsx'
import { lazyCode } from '../lazy/lazy-code.ts'
import { LazyPart } from '../lazy/lazy-part.tsx'
import { useFocusBack } from '../lazy/use-focus-back.ts'
import { GatewayBanner } from './gateway-banner.tsx'
import { GlobalSearch } from './global-search.tsx'
import { PausedBanner } from './paused-banner.tsx'
import { ServerPill } from './server-pill.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { UpdateNote } from './update-note.tsx'
import { useRetryOnReturn } from './use-retry-on-return.ts'
import { WithShortcuts } from './with-shortcuts.tsx'

const narrowMenu = lazyCode(async () => (await import('./narrow-menu.tsx')).NarrowMenu)

/** The frame of every page after sign-in. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const [menuOpened, menu] = useDisclosure(false)
  const menuWasOpened = useRef(false)
  menuWasOpened.current ||= menuOpened
  useFocusBack(menuOpened)
  const main = useRef<HTMLElement>(null)
  const [isAway, setAway] = useState(false)
  const server = useOperation('server.get', {}, { refetchInterval: isAway ? 1000 : 15_000 })
  useRefreshOn('server', [['server.get']])
  const isWaiting = useRetryOnReturn(server.dataUpdatedAt)
  useEffect(() => setAway(isWaiting), [isWaiting])

  // A new page starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the signal
  useEffect(() => {
    if (main.current) main.current.scrollTop = 0
  }, [location])

  return (
    <WithShortcuts>
      <div className={styles.shell}>
        <a href="#main" className={styles.skip}>
          {t('shell.skip')}
        </a>
        <div className={styles.sidebar}>
          <Sidebar />
        </div>
        <header className={styles.topbar}>
          <ActionIcon
            className="narrow-only"
            onClick={menu.open}
            aria-label={t('shell.openNavigation')}
          >
            <IconMenu2 size={18} />
          </ActionIcon>
          <ServerPill server={server.data} answering={!server.isError} />
          <GlobalSearch />
        </header>
        <main className={styles.main} id="main" ref={main} tabIndex={-1}>
          <KeychainBanner server={server.data} />
          <PausedBanner server={server.data} />
          <GatewayBanner server={server.data} />
          <UpdateNote />
          {children}
        </main>
        {menuWasOpened.current && (
          <LazyPart code={narrowMenu} props={{ opened: menuOpened, onClose: menu.close }} isOver />
        )}
      </div>
    </WithShortcuts>
  )
}
