import { Button } from '@mantine/core'
import { IconReceipt, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { FilterField } from '../../components/table/filter-field.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useIsMany } from '../../components/table/use-is-many.ts'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { OrderTable } from './order-table.tsx'

const pageSize = 30

/** Administrators see everybody's orders. */
export function PaymentsPage() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const { filters, isFiltered, filter, page, turnTo } = useListAddress(['q'])
  const keyword = filters.q.trim()
  const query = useOperation(
    isAdministrator ? 'topup.list' : 'topup.list-self',
    { keyword, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  // Credits are entries of the log, as calls are.
  useRefreshOn('calls', [['topup.list'], ['topup.list-self']])
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)
  const isMany = useIsMany(query.data?.total, isFiltered)

  return (
    <Page
      title={t('payments.title')}
      hint={t(isAdministrator ? 'payments.hintAll' : 'payments.hint')}
    >
      {isMany && (
        <FilterField
          w={340}
          label={t('payments.search')}
          value={filters.q}
          onChange={(q) => filter({ q })}
        />
      )}
      <QueryView query={query} verb={t('payments.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <OrderTable orders={data.items} isAdministrator={isAdministrator} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
              </>
            ) : keyword ? (
              <Empty
                icon={<IconSearch size={20} />}
                title={t('payments.noMatch', { text: keyword })}
                hint={t('payments.noMatchHint')}
              />
            ) : (
              <Empty
                icon={<IconReceipt size={20} />}
                title={t('payments.empty')}
                hint={t('payments.emptyHint')}
              >
                <Button component={Link} href="/redeem">
                  {t('payments.toRedeem')}
                </Button>
              </Empty>
            )}
          </Panel>
        )}
      </QueryView>
    </Page>
  )
}
