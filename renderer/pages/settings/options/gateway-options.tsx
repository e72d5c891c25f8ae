import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { optionAreas } from './option-entries.ts'
import { OptionLine } from './option-line.tsx'

/** Each option is saved by itself and takes effect at once. */
export function GatewayOptions() {
  const { t } = useTranslation()
  const query = useOperation('option.list', {})
  return (
    <QueryView query={query} verb={t('settings.loadingOptions')}>
      {(list) =>
        optionAreas.map((area) => (
          <Panel key={area.name} title={t(`options.${area.name}`)}>
            {area.entries.map((entry) => {
              const stored = list.find(({ key }) => key === entry.key)
              return stored && <OptionLine key={entry.key} entry={entry} stored={stored} />
            })}
          </Panel>
        ))
      }
    </QueryView>
  )
}
