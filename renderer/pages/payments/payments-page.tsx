import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconReceipt, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import { useOperation } from '../../gateway/queries.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import { OrderTable } from './order-table.tsx'

const pageSize = 30

/** Administrators see everybody's orders. */
export function PaymentsPage() {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [keyword] = useDebouncedValue(text.trim(), 200)
  const query = useOperation(
    isAdministrator ? 'topup.list' : 'topup.list-self',
    { keyword, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  usePageInRange({ page, pageSize, total: query.data?.total }, setPage)

  return (
    <Page
      title={t('payments.title')}
      hint={t(isAdministrator ? 'payments.hintAll' : 'payments.hint')}
    >
      <TextInput
        maw={340}
        leftSection={<IconSearch size={14} />}
        placeholder={t('payments.search')}
        aria-label={t('payments.search')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPage(1)
        }}
      />
      <QueryView query={query} verb={t('payments.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <OrderTable orders={data.items} isAdministrator={isAdministrator} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
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
