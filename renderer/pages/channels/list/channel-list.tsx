import { Button } from '@mantine/core'
import { IconRoute } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListAddress } from '../../../components/address/use-list-address.ts'
import { useChannelHealth } from '../../../components/channel-health/use-channel-health.ts'
import { Empty } from '../../../components/feedback/empty.tsx'
import { NoMatch } from '../../../components/feedback/no-match.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { useRowSelection } from '../../../components/selection/use-row-selection.ts'
import { Pager } from '../../../components/table/pager.tsx'
import { useIsMany } from '../../../components/table/use-is-many.ts'
import { usePageInRange } from '../../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../../gateway/queries.ts'
import { AddEchoButton } from '../form/add-echo-button.tsx'
import { TagPanels } from '../tags/tag-panels.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { ChannelFilters } from './channel-filters.tsx'
import { ChannelTable } from './channel-table.tsx'
import {
  type channelArrangement,
  type channelFilters,
  isByTag,
  queryOfView,
} from './channel-view.ts'
import { useChannelTests } from './use-channel-tests.ts'

const channelsOnPage = 50
const tagsOnPage = 20

interface ChannelListProps {
  /** Tests are running: the list is polled. */
  live: boolean
  address: ListAddress<(typeof channelFilters)[number], (typeof channelArrangement)[number]>
}

export function ChannelList({ live, address }: ChannelListProps) {
  const { t } = useTranslation()
  const { filters: view, isFiltered, filter, clear, page, turnTo, open } = address
  const pageSize = isByTag(view) ? tagsOnPage : channelsOnPage
  const query = useOperation(
    'channel.search',
    { ...queryOfView(view), p: page, page_size: pageSize },
    { keepPrevious: true, ...(live ? { refetchInterval: 2000 } : {}) },
  )
  // The gateway may auto-disable a channel at any time, and another client change one.
  useRefreshOn('server', [['channel.search']])
  useChannelHealth()
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)
  const shown = useMemo(() => (query.data?.items ?? []).map(({ id }) => id), [query.data])
  const isMany = useIsMany(query.data?.total, isFiltered || isByTag(view))
  const selection = useRowSelection(shown, isMany)
  const tests = useChannelTests()

  return (
    <>
      {isMany && (
        <ChannelFilters
          view={view}
          typeCounts={query.data?.type_counts ?? {}}
          isFiltered={isFiltered}
          onChange={filter}
          onClear={clear}
        />
      )}
      <BulkActions selection={selection} tests={tests} />
      <QueryView query={query} verb={t('channels.loading')}>
        {(data) =>
          data.items.length === 0 ? (
            <Panel flush>
              <NoChannels filtered={isFiltered} onClear={clear} onAdd={() => open('new')} />
            </Panel>
          ) : isByTag(view) ? (
            <>
              <TagPanels channels={data.items} selection={selection} tests={tests} onOpen={open} />
              <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
            </>
          ) : (
            <Panel flush>
              <ChannelTable
                channels={data.items}
                selection={selection}
                tests={tests}
                withSelectAll
                onOpen={open}
              />
              <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
            </Panel>
          )
        }
      </QueryView>
    </>
  )
}

interface NoChannelsProps {
  filtered: boolean
  onClear: () => void
  onAdd: () => void
}

function NoChannels({ filtered, onClear, onAdd }: NoChannelsProps) {
  const { t } = useTranslation()
  if (filtered) {
    return (
      <NoMatch title={t('channels.noMatch')} hint={t('channels.noMatchHint')} onClear={onClear} />
    )
  }
  return (
    <Empty
      icon={<IconRoute size={20} />}
      title={t('channels.empty')}
      hint={t('channels.emptyHint')}
    >
      <Button onClick={onAdd}>{t('channels.add')}</Button>
      <AddEchoButton variant="default" />
    </Empty>
  )
}
