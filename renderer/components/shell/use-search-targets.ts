import { IconKey, IconPlus, IconRoute, type TablerIcon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { usePages } from './use-pages.ts'

export interface SearchTarget {
  group: string
  name: string
  detail?: string
  path: string
  icon: TablerIcon
}

const everything = { p: 1, page_size: 100 }

/** Pages, actions, channels and tokens whose name contains `text`. */
export function useSearchTargets(text: string): SearchTarget[] {
  const { t } = useTranslation()
  const pages = usePages()
  const isAdministrator = useIsAdministrator()
  const channels = useOperation('channel.list', everything, { enabled: isAdministrator })
  const tokens = useOperation('token.list', everything)

  const targets: SearchTarget[] = [
    ...pages.map((page) => ({
      group: t('shell.searchPages'),
      name: t(`shell.${page.name}`),
      path: page.path,
      icon: page.icon,
    })),
    ...[
      ...(isAdministrator ? [{ name: t('shell.newChannel'), path: '/channels?new=1' }] : []),
      { name: t('shell.newToken'), path: '/connect/tokens?new=1' },
    ].map((action) => ({ ...action, group: t('shell.searchActions'), icon: IconPlus })),
    ...(channels.data?.items ?? []).map((channel) => ({
      group: t('shell.channels'),
      name: channel.name,
      detail: `#${channel.id}`,
      path: `/channels?open=${channel.id}`,
      icon: IconRoute,
    })),
    ...(tokens.data?.items ?? []).map((token) => ({
      group: t('shell.tokens'),
      name: token.name,
      detail: `#${token.id}`,
      path: `/connect/tokens?open=${token.id}`,
      icon: IconKey,
    })),
  ]
  const wanted = text.trim().toLowerCase()
  return targets.filter((target) => target.name.toLowerCase().includes(wanted))
}
