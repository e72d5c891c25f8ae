import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { GroupForm } from './group-form.tsx'

/** For the owner alone. */
export function GroupsPage() {
  const { t } = useTranslation()
  const query = useOperation('option.list', {})
  return (
    <Page title={t('shell.groups')} hint={t('groups.pageHint')} narrow>
      <QueryView query={query} verb={t('settings.loadingOptions')}>
        {(list) => <GroupForm stored={new Map(list.map(({ key, value }) => [key, value]))} />}
      </QueryView>
    </Page>
  )
}
