import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconFilterOff, IconListDetails } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useRefreshOn } from '../../gateway/queries.ts'
import type { CallQuery } from '../../gateway/records.ts'
import { useCalls } from '../../gateway/use-calls.ts'
import { type CallFilterDraft, CallFilters, noFilters } from './call-filters.tsx'
import { CallTable } from './call-table.tsx'

const pageSize = 30

export function CallsPage() {
  const { t } = useTranslation()
  // `?open=<request id>` shows one call alone, with its details.
  const [search] = useSearchParams()
  const wanted = search.get('open') ?? ''
  const [draft, setDraft] = useState<CallFilterDraft>(
    wanted === '' ? noFilters : { ...noFilters, requestId: wanted },
  )
  const [page, setPage] = useState(1)
  const [settled] = useDebouncedValue(draft, 250)
  const filters = useMemo(() => toQuery(settled), [settled])
  const query = useCalls({ ...filters, p: page, page_size: pageSize })
  useRefreshOn('calls', [['call.list'], ['call.list-self']])

  useEffect(() => {
    if (wanted === '') return
    setDraft({ ...noFilters, requestId: wanted })
    setPage(1)
  }, [wanted])

  const change = (next: CallFilterDraft) => {
    setDraft(next)
    setPage(1)
  }

  return (
    <Page
      title={t('calls.title')}
      hint={t('calls.hint')}
      actions={
        <Button component={Link} href="/calls/sessions" variant="default">
          {t('sessions.title')}
        </Button>
      }
    >
      <CallFilters draft={draft} onChange={change} />
      <QueryView query={query} verb={t('calls.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <CallTable calls={data.items} open={wanted} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
              </>
            ) : (
              <NoCalls filtered={settled !== noFilters} onClear={() => change(noFilters)} />
            )}
          </Panel>
        )}
      </QueryView>
    </Page>
  )
}

function NoCalls({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  if (filtered) {
    return (
      <Empty
        icon={<IconFilterOff size={20} />}
        title={t('calls.noMatch')}
        hint={t('calls.noMatchHint')}
      >
        <Button variant="default" onClick={onClear}>
          {t('calls.clearFilters')}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty
      icon={<IconListDetails size={20} />}
      title={t('calls.empty')}
      hint={t('calls.emptyHint')}
    >
      <Button component={Link} href="/playground">
        {t('calls.openPlayground')}
      </Button>
      <Button component={Link} href="/tokens?new=1" variant="default">
        {t('calls.connectTool')}
      </Button>
    </Empty>
  )
}

function toQuery(draft: CallFilterDraft): CallQuery {
  const now = Math.floor(Date.now() / 1000)
  const query: CallQuery = {}
  if (draft.model.trim()) query.model_name = draft.model.trim()
  if (draft.token.trim()) query.token_name = draft.token.trim()
  if (draft.requestId.trim()) query.request_id = draft.requestId.trim()
  if (draft.channel) query.channel = Number(draft.channel)
  if (draft.type) query.type = Number(draft.type)
  if (draft.since) query.start_timestamp = now - Number(draft.since)
  return query
}
