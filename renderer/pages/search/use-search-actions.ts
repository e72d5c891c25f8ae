import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import {
  IconCopy,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerRecord,
  IconPlayerStop,
  IconPlus,
  IconShare,
  IconSunMoon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CallName, OperationInput } from '../../../preload/contract.ts'
import { useSignOut } from '../../components/leaving/use-sign-out.ts'
import { useOpenShortcuts } from '../../components/shortcuts/open-shortcuts.ts'
import { shortcutTexts } from '../../components/shortcuts/shortcut-texts.ts'
import { shortcutAreas, shortcuts } from '../../components/shortcuts/shortcuts.ts'
import { useGateway } from '../../gateway/gateway-context.ts'
import { type Action, useAction, useOperation } from '../../gateway/queries.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { changeLanguage } from '../../i18n/change-language.ts'
import { type Language, languages } from '../../i18n/languages.ts'
import type { SearchTarget } from './search-target.ts'

/** Minutes that "capture everything" lasts. */
const minutes = 10
const themes: readonly [MantineColorScheme, 'themeLight' | 'themeDark' | 'themeSystem'][] = [
  ['light', 'themeLight'],
  ['dark', 'themeDark'],
  ['auto', 'themeSystem'],
]
const serverReads = ['server.get', 'diagnostics.health'] as const

/** Actions of every page that the signed-in user may take. */
export function useSearchActions() {
  const { t, i18n } = useTranslation()
  const { transport } = useGateway()
  const role = useRole()
  const isOwner = role >= roles.owner
  const server = useOperation('server.get', {}).data
  const status = useOperation('capture.status', {}, { enabled: isOwner })
  const burst = useAction('capture.burst', ['capture.status'])
  const pause = useAction('server.pause', serverReads)
  const resume = useAction('server.resume', serverReads)
  const signOut = useSignOut()
  const clipboard = useClipboard()
  const openShortcuts = useOpenShortcuts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()

  const until = status.data?.burst_until ?? null
  const isBurst = until !== null && until * 1000 > Date.now()
  const isPaused = Boolean(server?.paused_since)
  const running =
    <Name extends CallName>(action: Action<Name>, input: OperationInput<Name>) =>
    async () =>
      (await action.run(input)) !== null

  const actions: (Omit<SearchTarget, 'key' | 'group'> | false | undefined)[] = [
    role >= roles.administrator && {
      ...{ name: t('shell.newChannel'), path: '/channels?new=1', icon: IconPlus },
    },
    role >= roles.administrator && {
      ...{ name: t('search.createRoute'), path: '/routes?new=1', icon: IconPlus },
    },
    { name: t('search.createToken'), path: '/connect/tokens?new=1', icon: IconPlus },
    isOwner && {
      name: t(isBurst ? 'search.stopCapture' : 'captures.burst', { minutes }),
      icon: isBurst ? IconPlayerStop : IconPlayerRecord,
      run: running(burst, { minutes: isBurst ? 0 : minutes }),
      path: '/calls',
    },
    isOwner &&
      server && {
        name: t(isPaused ? 'search.resumeCalls' : 'search.pauseCalls'),
        icon: isPaused ? IconPlayerPlay : IconPlayerPause,
        run: running(isPaused ? resume : pause, {}),
      },
    isOwner &&
      server &&
      !server.shared && {
        ...{ name: t('sharing.title'), path: '/settings?share=1', icon: IconShare },
      },
    server && {
      name: t('search.copyBaseUrl'),
      detail: server.url,
      icon: IconCopy,
      run: () => {
        clipboard.copy(server.url)
        return true
      },
    },
    {
      name: t('shortcuts.title'),
      detail: shortcuts.everywhere.shortcuts[0],
      words: shortcutAreas
        .flatMap((area) => shortcutTexts(t, area).map(({ text }) => text))
        .join(' '),
      icon: IconKeyboard,
      run: () => {
        openShortcuts()
        return true
      },
    },
    ...themes
      .filter(([scheme]) => scheme !== colorScheme)
      .map(([scheme, name]) => ({
        name: t(`search.${name}`),
        icon: IconSunMoon,
        run: () => {
          setColorScheme(scheme)
          return true
        },
      })),
    ...Object.entries(languages)
      .filter(([language]) => language !== i18n.language)
      .map(([language, name]) => ({
        name,
        words: `${t('settings.language')} language 语言`,
        icon: IconLanguage,
        run: async () => {
          await changeLanguage(i18n, language as Language)
          return true
        },
      })),
    transport === 'http' && {
      name: t('shell.signOut'),
      icon: IconLogout,
      run: () => {
        signOut.run()
        return true
      },
    },
  ]
  const targets = actions
    .filter((action) => action !== false && action !== undefined)
    .map((action) => ({
      ...action,
      key: `action ${action.name}`,
      group: t('search.actions'),
    }))
  return { targets, failure: burst.failure ?? pause.failure ?? resume.failure }
}
