import { useTranslation } from 'react-i18next'
import { Redirect } from 'wouter'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { roles, useRole } from '../../../gateway/use-role.ts'
import { GroupForm } from './group-form.tsx'

/** For the owner alone. */
export function GroupsPage() {
  const { t } = useTranslation()
  const role = useRole()
  const query = useOperation('option.list', {}, { enabled: role >= roles.owner })
  if (role > 0 && role < roles.owner) return <Redirect to="/" replace />
  return (
    <Page title={t('shell.groups')} hint={t('groups.pageHint')} narrow>
      <QueryView query={query} verb={t('settings.loadingOptions')}>
        {(list) => <GroupForm stored={new Map(list.map(({ key, value }) => [key, value]))} />}
      </QueryView>
    </Page>
  )
}
