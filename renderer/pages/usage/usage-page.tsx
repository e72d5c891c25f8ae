import { Button } from '@mantine/core'
import { IconChartBarOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { roles, useRole } from '../../gateway/use-role.ts'
import { UsageContent } from './usage-content.tsx'
import { UsageControls } from './usage-controls.tsx'
import { useUsageQuery, useUsageView } from './use-usage-query.ts'

export function UsagePage({ tabs }: { tabs?: ReactNode }) {
  const { t } = useTranslation()
  const [wish, change] = useUsageView()
  const { query, range, by, isAdministrator } = useUsageQuery(wish)
  const view = { ...wish, by }
  // The gateway answers `forbidden` when the charts are turned off.
  const isSwitchedOff = query.error?.code === 'forbidden'

  return (
    <Page title={t('usage.title')} hint={t('usage.hint')}>
      {tabs}
      {isSwitchedOff ? (
        <ChartsOff sentence={query.error?.message ?? ''} />
      ) : (
        <>
          <UsageControls view={view} isAdministrator={isAdministrator} onChange={change} />
          <QueryView query={query} verb={t('usage.loading')}>
            {({ rows }) => <UsageContent rows={rows} view={view} range={range} onChange={change} />}
          </QueryView>
        </>
      )}
    </Page>
  )
}

function ChartsOff({ sentence }: { sentence: string }) {
  const { t } = useTranslation()
  const isOwner = useRole() === roles.owner
  return (
    <Panel>
      <Empty icon={<IconChartBarOff size={20} />} title={t('usage.off')} hint={sentence}>
        {isOwner && (
          <Button component={Link} href="/settings">
            {t('usage.toSettings')}
          </Button>
        )}
      </Empty>
    </Panel>
  )
}
