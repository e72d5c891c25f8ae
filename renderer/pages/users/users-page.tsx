import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useIsMany } from '../../components/table/use-is-many.ts'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { UserDrawer } from './user-drawer.tsx'
import { UserFilters, userFilters } from './user-filters.tsx'
import { UserTable } from './user-table.tsx'

const pageSize = 50

export function UsersPage() {
  const { t } = useTranslation()
  const { filters, isFiltered, filter, clear, page, turnTo, ...address } =
    useListAddress(userFilters)
  const query = useOperation(
    'user.search',
    {
      keyword: filters.q.trim(),
      group: filters.group,
      role: filters.role,
      status: filters.status,
      p: page,
      page_size: pageSize,
    },
    { keepPrevious: true },
  )
  const isMany = useIsMany(query.data?.total, isFiltered)
  useRefreshOn('calls', [['user.search']])
  useRefreshOn('server', [['user.search']])
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)

  return (
    <Page
      title={t('users.title')}
      hint={t('users.hint')}
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={() => address.open('new')}>
          {t('users.create')}
        </Button>
      }
    >
      {isMany && (
        <UserFilters filters={filters} isFiltered={isFiltered} onChange={filter} onClear={clear} />
      )}
      <QueryView query={query} verb={t('users.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <UserTable users={data.items} onOpen={address.open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
              </>
            ) : (
              <NoMatch title={t('users.noMatch')} hint={t('users.noMatchHint')} onClear={clear} />
            )}
          </Panel>
        )}
      </QueryView>
      <UserDrawer opened={address.isOpen} userId={address.openId} onClose={address.close} />
    </Page>
  )
}
