import { ActionIcon } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useGateway } from '../../gateway/gateway-context.ts'
import { useOperation } from '../../gateway/queries.ts'
import { Tip } from '../feedback/tip.tsx'
import { useSignOut } from '../leaving/use-sign-out.ts'
import { BrandMark } from './brand-mark.tsx'
import styles from './sidebar.module.css'
import { usePages } from './use-pages.ts'

/** `onNavigate` closes the drawer that holds it on narrow screens. */
export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { t } = useTranslation()
  const [location] = useLocation()
  const { transport } = useGateway()
  const self = useOperation('user.self', {})
  const pages = usePages().filter(({ isInside }) => !isInside)
  const signOut = useSignOut()
  const isCurrent = (path: string) =>
    path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

  return (
    <nav className={styles.sidebar} aria-label={t('shell.navigation')}>
      <div className={styles.brand}>
        <BrandMark />
        Switchyard
      </div>
      <div className={styles.links}>
        {pages.map(({ path, name, icon: Icon }) => (
          <Link
            key={path}
            href={path}
            className={styles.link}
            aria-current={isCurrent(path) ? 'page' : undefined}
            onClick={onNavigate}
          >
            <Icon size={16} stroke={1.7} aria-hidden />
            {t(`shell.${name}`)}
          </Link>
        ))}
      </div>
      <div className={styles.foot}>
        <span>{self.data?.username}</span>
        {transport === 'http' && (
          <Tip label={t('shell.signOut')}>
            <ActionIcon
              loading={signOut.busy}
              onClick={signOut.run}
              aria-label={t('shell.signOut')}
            >
              <IconLogout size={15} />
            </ActionIcon>
          </Tip>
        )}
      </div>
    </nav>
  )
}
