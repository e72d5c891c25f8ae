import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useIsMany } from '../../components/table/use-is-many.ts'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { UserDrawer } from './user-drawer.tsx'
import { noUserFilters, type UserFilterDraft, UserFilters } from './user-filters.tsx'
import { UserTable } from './user-table.tsx'

const pageSize = 50

/** `?new=1` and `?open=<id>` open the drawer. */
export function UsersPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [draft, setDraft] = useState<UserFilterDraft>(noUserFilters)
  const [page, setPage] = useState(1)
  const [settled] = useDebouncedValue(draft, 200)
  const query = useOperation(
    'user.search',
    {
      keyword: settled.text.trim(),
      group: settled.group ?? '',
      role: settled.role ?? '',
      status: settled.status ?? '',
      p: page,
      page_size: pageSize,
    },
    { keepPrevious: true },
  )
  const isMany = useIsMany(query.data?.total)
  useRefreshOn('calls', [['user.search']])
  usePageInRange({ page, pageSize, total: query.data?.total }, setPage)
  const openId = Number(params.get('open')) || null
  const open = (id: number | 'new') => setParams(id === 'new' ? { new: '1' } : { open: String(id) })
  const close = () => setParams({}, { replace: true })
  const change = (next: UserFilterDraft) => {
    setDraft(next)
    setPage(1)
  }

  return (
    <Page
      title={t('users.title')}
      hint={t('users.hint')}
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
          {t('users.create')}
        </Button>
      }
    >
      {isMany && <UserFilters draft={draft} onChange={change} />}
      <QueryView query={query} verb={t('users.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <UserTable users={data.items} onOpen={open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
              </>
            ) : (
              <NoMatch
                title={t('users.noMatch')}
                hint={t('users.noMatchHint')}
                onClear={() => change(noUserFilters)}
              />
            )}
          </Panel>
        )}
      </QueryView>
      <UserDrawer opened={openId !== null || params.has('new')} userId={openId} onClose={close} />
    </Page>
  )
}
