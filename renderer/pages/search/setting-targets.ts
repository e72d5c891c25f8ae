import { IconSettings } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { optionAreas } from '../settings/options/option-entries.ts'
import type { SearchTarget } from './search-target.ts'

interface Viewer {
  isOwner: boolean
  isShared: boolean
  hasDesktop: boolean
}

/** Panels and settings outside Options, by the keys of their labels. */
const general = [
  'settings.appearance',
  'settings.showAddresses',
  'settings.server',
  'settings.forScripts',
] as const
const security = [
  'settings.changePassword',
  'security.title',
  'security.sessions',
  'settings.accessToken',
  'security.audit',
] as const
const transfer = [
  'transfer.export',
  'transfer.import',
  'transfer.backups',
  'options.backupHours',
  'options.backupKeep',
] as const
const desktop = [
  'desktop.openAtLogin',
  'desktop.startHidden',
  'desktop.notifications',
  'options.notifyKeyRefused',
  'options.notifyBudget',
  'options.notifyChannel',
  'desktop.updates',
  'options.updateFeed',
  'desktop.openFolder',
] as const

/** Every setting that the viewer has, found by name, hint or key; an option opens Options at it. */
export function settingTargets(t: TFunction, viewer: Viewer): SearchTarget[] {
  const { isOwner, isShared, hasDesktop } = viewer
  const group = t('shell.settings')
  const labels = [
    { section: '', keys: [...general, isShared ? 'settings.preferences' : 'settings.notices'] },
    { section: 'security', keys: security },
    { section: 'transfer', keys: isOwner ? transfer : [] },
    { section: 'desktop', keys: isOwner && hasDesktop ? desktop : [] },
  ] as const
  return [
    ...labels.flatMap(({ section, keys }) =>
      keys.map((key) => ({
        ...{ key: `setting ${key}`, group, name: t(key), icon: IconSettings },
        detail: t(section === '' ? 'settings.section_general' : `settings.section_${section}`),
        path: `/settings/${section}`.replace(/\/$/, ''),
      })),
    ),
    ...(isOwner ? optionAreas : []).flatMap(({ name: area, entries }) =>
      entries
        .filter(({ isForSharing }) => isShared || !isForSharing)
        .map(({ key, label, hint }) => ({
          ...{ key: `option ${key}`, group, name: t(`options.${label}`), icon: IconSettings },
          detail: t(`options.${area}`),
          words: `${hint ? t(`options.${hint}`) : ''} ${key}`,
          path: `/settings/options?find=${encodeURIComponent(key)}`,
        })),
    ),
  ]
}
