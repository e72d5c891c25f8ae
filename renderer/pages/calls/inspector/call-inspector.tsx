import { Group, Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { useOperation } from '../../../gateway/queries.ts'
import { CopyAs } from './capture/copy-as.tsx'
import { inspectorTabs } from './inspector-tabs.tsx'

/** All that is known of one call, in tabs. */
export function CallInspector({ requestId }: { requestId: string }) {
  const { t } = useTranslation()
  const query = useOperation('call.one', { request_id: requestId })
  return (
    <QueryView query={query} verb={t('inspector.loading')}>
      {(call) => {
        const tabs = inspectorTabs.filter(({ fits }) => fits(call))
        return (
          <Tabs defaultValue={tabs[0]?.id ?? null} keepMounted={false}>
            <Group justify="space-between" align="flex-start" mb={8}>
              <Tabs.List>
                {tabs.map(({ id, label }) => (
                  <Tabs.Tab key={id} value={id}>
                    {t(label)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {call.has_capture && <CopyAs requestId={requestId} />}
            </Group>
            {tabs.map(({ id, View }) => (
              <Tabs.Panel key={id} value={id}>
                <View call={call} />
              </Tabs.Panel>
            ))}
          </Tabs>
        )
      }}
    </QueryView>
  )
}
