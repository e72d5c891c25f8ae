import { Button } from '@mantine/core'
import { IconArrowRight, IconListDetails } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { CallTable } from '../calls/recent/call-table.tsx'

/** Ended calls; those under way come on top of them. */
const shownCalls = 10
const mostUnderWay = 5
/** Milliseconds: no event tells that a call began. */
const interval = 2000

/** The running calls and the latest ones. */
export function LatestCalls() {
  const { t } = useTranslation()
  const query = useOperation(
    'call.timeline',
    { q: '-refused:yes', limit: shownCalls },
    { refetchInterval: interval },
  )
  useRefreshOn('calls', [['call.timeline']])
  const rows = query.data?.rows ?? []
  const underWay = rows.filter(({ kind }) => kind === 'running')
  const ended = rows.filter(({ kind }) => kind !== 'running')
  return (
    <Panel
      title={t('overview.lastCalls')}
      hint={
        underWay.length > 0
          ? t('overview.underWay', { count: underWay.length })
          : t('overview.noneUnderWay')
      }
      flush
      actions={
        <Button
          component={Link}
          href="/calls"
          variant="subtle"
          color="gray"
          rightSection={<IconArrowRight size={14} />}
        >
          {t('overview.allCalls')}
        </Button>
      }
    >
      <QueryView query={query} verb={t('calls.loading')}>
        {() =>
          rows.length > 0 ? (
            <CallTable
              calls={[...underWay.slice(0, mostUnderWay), ...ended]}
              readAt={query.dataUpdatedAt}
              label={t('overview.lastCalls')}
            />
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
  )
}
