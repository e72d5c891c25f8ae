import { Badge, Button } from '@mantine/core'
import { IconArrowRight, IconListDetails } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useRefreshOn } from '../../gateway/queries.ts'
import { useCallStat, useCalls } from '../../gateway/use-calls.ts'
import { CallTable } from '../calls/recent/call-table.tsx'
import { LowBalance } from './low-balance.tsx'
import { NextStep } from './next-step.tsx'
import { TodayFigures } from './today-figures.tsx'

export function OverviewPage() {
  const { t } = useTranslation()
  const midnight = useMemo(startOfToday, [])
  const today = useCallStat(midnight)
  const calls = useCalls({ p: 1, page_size: 12 })
  useRefreshOn('calls', [['call.list'], ['call.stat'], ['call.list-self'], ['call.stat-self']])

  return (
    <Page title={t('overview.title')}>
      <NextStep />
      <LowBalance />
      <QueryView query={today} verb={t('overview.loading')}>
        {(stat) => <TodayFigures stat={stat} />}
      </QueryView>
      <Panel
        title={t('overview.lastCalls')}
        flush
        actions={
          <>
            <Badge color="green" variant="dot">
              {t('overview.live')}
            </Badge>
            <Button
              component={Link}
              href="/calls"
              variant="subtle"
              color="gray"
              ml="auto"
              rightSection={<IconArrowRight size={14} />}
            >
              {t('overview.allCalls')}
            </Button>
          </>
        }
      >
        <QueryView query={calls} verb={t('calls.loading')}>
          {(data) =>
            data.items.length > 0 ? (
              <CallTable calls={data.items} />
            ) : (
              <Empty
                icon={<IconListDetails size={20} />}
                title={t('calls.empty')}
                hint={t('calls.emptyHint')}
              >
                <Button component={Link} href="/playground">
                  {t('calls.openPlayground')}
                </Button>
              </Empty>
            )
          }
        </QueryView>
      </Panel>
    </Page>
  )
}

function startOfToday(): number {
  const day = new Date()
  day.setHours(0, 0, 0, 0)
  return Math.floor(day.getTime() / 1000)
}
