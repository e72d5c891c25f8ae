import { Button, Table } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { failedTest, worstFirst, worstOf } from '../../components/channel-health/health-facts.ts'
import { useChannelHealth } from '../../components/channel-health/use-channel-health.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { ActionsHead } from '../../components/table/actions-head.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import type { ChannelHealth } from '../../gateway/records.ts'
import { useEvery } from '../../gateway/use-every.ts'
import { autoDisabled, ChannelHealthRow } from './channel-health-row.tsx'

const pageSize = 20
const interval = 10_000

/** Channels with problems come first. Details are the counts that circuits go by. */
export function ChannelHealthTable({ hasDetails }: { hasDetails: boolean }) {
  const { t } = useTranslation()
  const [page, setPage] = useState(1)
  const query = useChannelHealth({ refetchInterval: interval })
  const list = useEvery('channel.list')
  const sorted = useMemo(() => {
    const items = list.data ?? []
    const byId = new Map(items.map((item) => [item.id, item]))
    const weight = (health: ChannelHealth) => {
      const item = byId.get(health.id)
      return item?.status === autoDisabled
        ? 2
        : failedTest(health, item?.last_test) || worstOf(health)
          ? 1
          : 0
    }
    return [...(query.data ?? [])].sort((one, other) => {
      return weight(other) - weight(one) || worstFirst(one, other)
    })
  }, [query.data, list.data])
  usePageInRange({ page, pageSize, total: query.data?.length }, setPage)
  return (
    <Panel title={t('health.channels')} hint={t('health.channelsHint')} flush>
      <QueryView query={query} verb={t('health.loadingChannels')}>
        {() =>
          sorted.length === 0 ? (
            <Empty
              icon={<IconRoute size={20} />}
              title={t('health.noChannels')}
              hint={t('channels.emptyHint')}
            >
              <Button component={Link} href="/channels?new=1">
                {t('health.addChannel')}
              </Button>
            </Empty>
          ) : (
            <>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('health.channel')}</Table.Th>
                    <Table.Th>{t('health.circuit')}</Table.Th>
                    <Table.Th className="numeric wide-only">{t('health.success')}</Table.Th>
                    <Table.Th className="numeric widest-only">{t('health.latency')}</Table.Th>
                    <ActionsHead width={110} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {sorted.slice((page - 1) * pageSize, page * pageSize).map((health) => (
                    <ChannelHealthRow key={health.id} health={health} hasDetails={hasDetails} />
                  ))}
                </Table.Tbody>
              </Table>
              <Pager page={page} pageSize={pageSize} total={sorted.length} onChange={setPage} />
            </>
          )
        }
      </QueryView>
    </Panel>
  )
}
