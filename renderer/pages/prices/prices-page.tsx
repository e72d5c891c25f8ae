import { Group, SegmentedControl } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { FilterField } from '../../components/table/filter-field.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import { useIsShared } from '../../gateway/use-is-shared.ts'
import { roles, useRole } from '../../gateway/use-role.ts'
import { PriceDrawer } from './price-drawer.tsx'
import { matchesFilter, type PriceFilter, type PriceRow } from './price-fields.ts'
import { PriceTable } from './price-table.tsx'

const pageSize = 100
const filters: readonly PriceFilter[] = ['served', 'all', 'unpriced', 'own']

export function PricesPage({ tabs }: { tabs?: ReactNode }) {
  const { t } = useTranslation()
  const isShared = useIsShared()
  const query = useOperation('price.list', {})
  useRefreshOn('server', [['price.list']])
  return (
    <Page title={t('prices.title')} hint={t(isShared ? 'prices.hint' : 'prices.hintAlone')}>
      {tabs}
      <QueryView query={query} verb={t('prices.loading')}>
        {(data) => <Prices rows={data.items} />}
      </QueryView>
    </Page>
  )
}

function Prices({ rows }: { rows: readonly PriceRow[] }) {
  const { t } = useTranslation()
  const address = useListAddress(['q', 'show'])
  const { page, turnTo } = address
  const typed = address.filters.q
  const filter = filters.find((one) => one === address.filters.show) ?? 'served'
  const isOwner = useRole() >= roles.owner
  const found = useMemo(
    () => rows.filter((row) => matchesFilter(row, filter, typed)),
    [rows, filter, typed],
  )
  const shown = found.slice((page - 1) * pageSize, page * pageSize)
  const opened = rows.find(({ model }) => model === address.opened) ?? null

  return (
    <>
      <Group gap={8} role="search" aria-label={t('prices.filters')}>
        <FilterField
          w={240}
          label={t('prices.search')}
          value={typed}
          onChange={(q) => address.filter({ q })}
        />
        <SegmentedControl
          aria-label={t('prices.show')}
          data={filters.map((value) => ({ value, label: t(`prices.filter_${value}`) }))}
          value={filter}
          onChange={(show) => address.filter({ show: show === 'served' ? '' : show })}
        />
      </Group>
      <Panel flush>
        {shown.length > 0 ? (
          <>
            <PriceTable rows={shown} {...(isOwner ? { onOpen: address.open } : {})} />
            <Pager page={page} pageSize={pageSize} total={found.length} onChange={turnTo} />
          </>
        ) : (
          <Empty
            icon={<IconTag size={20} />}
            title={t('prices.empty')}
            hint={t(
              filter === 'served' && typed === '' ? 'prices.emptyServed' : 'prices.emptyHint',
            )}
          />
        )}
      </Panel>
      <PriceDrawer row={isOwner ? opened : null} onClose={address.close} />
    </>
  )
}
