import { useTranslation } from 'react-i18next'
import { Panel } from '../../components/panel.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useOperation } from '../../gateway/queries.ts'
import { optionEntries } from './option-entries.ts'
import { OptionLine } from './option-line.tsx'

/** How the gateway behaves; each setting is saved by itself. */
export function GatewayOptions() {
  const { t } = useTranslation()
  const options = useOperation('option.list', {})
  return (
    <Panel title={t('settings.gateway')}>
      <QueryView query={options} verb={t('settings.loadingOptions')}>
        {(list) =>
          optionEntries.map((entry) => {
            const stored = list.find(({ key }) => key === entry.key)
            return stored && <OptionLine key={entry.key} entry={entry} stored={stored.value} />
          })
        }
      </QueryView>
    </Panel>
  )
}
