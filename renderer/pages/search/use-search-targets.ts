import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '../../components/shell/use-pages.ts'
import { useOperation } from '../../gateway/queries.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { matching, type SearchTarget } from './search-target.ts'
import { settingTargets } from './setting-targets.ts'
import { useFoundRecords } from './use-found-records.ts'
import { useSearchActions } from './use-search-actions.ts'

/** Settings shown at once. */
const mostSettings = 12

/** The targets that `text` finds, in the order of the list; without text the pages and the actions. */
export function useSearchTargets(text: string) {
  const { t } = useTranslation()
  const isOwner = useRole() >= roles.owner
  const isShared = useIsShared()
  const pages = usePages()
  const desktop = useOperation('desktop.get', {}, { enabled: isOwner })
  const actions = useSearchActions()
  const records = useFoundRecords(text)
  const pageTargets = pages.map(({ path, name, icon }) => ({
    ...{ key: `page ${path}`, group: t('search.pages'), name: t(`shell.${name}`), path, icon },
  }))
  const hasDesktop = desktop.data?.available === true
  // Some two hundred texts: not with every letter.
  const settings = useMemo(
    () => settingTargets(t, { isOwner, isShared, hasDesktop }),
    [t, isOwner, isShared, hasDesktop],
  )
  const targets: SearchTarget[] = [
    ...matching(pageTargets, text),
    ...matching(actions.targets, text),
    ...records.targets,
    ...(text.trim() === '' ? [] : matching(settings, text).slice(0, mostSettings)),
  ]
  return {
    targets,
    isSearching: records.isSearching,
    failures: records.failures,
    actionFailure: actions.failure,
  }
}
