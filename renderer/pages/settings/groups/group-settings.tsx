import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { GroupForm } from './group-form.tsx'

export function GroupSettings() {
  const { t } = useTranslation()
  const query = useOperation('option.list', {})
  return (
    <QueryView query={query} verb={t('settings.loadingOptions')}>
      {(list) => <GroupForm stored={new Map(list.map(({ key, value }) => [key, value]))} />}
    </QueryView>
  )
}
