import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../components/address/use-list-address.ts'
import { Empty } from '../../components/feedback/empty.tsx'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useFocusBack } from '../../components/lazy/use-focus-back.ts'
import { DeleteSelected } from '../../components/selection/delete-selected.tsx'
import { SelectionBar } from '../../components/selection/selection-bar.tsx'
import type { RowSelection } from '../../components/selection/use-row-selection.ts'
import { useRowSelection } from '../../components/selection/use-row-selection.ts'
import { FilterField } from '../../components/table/filter-field.tsx'
import { Pager } from '../../components/table/pager.tsx'
import { useIsMany } from '../../components/table/use-is-many.ts'
import { usePageInRange } from '../../components/table/use-page-in-range.ts'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { TokenRecord } from '../../gateway/records.ts'
import { KeyDialog } from './key-dialog.tsx'
import { TokenDrawer } from './token-drawer.tsx'
import { TokenTable } from './token-table.tsx'
import { useTokenUsers } from './use-token-users.ts'

const pageSize = 50

/** The tokens of the user. */
export function TokensSection() {
  const { t } = useTranslation()
  const { filters, isFiltered, filter, clear, page, turnTo, open, close, ...address } =
    useListAddress(['q'])
  const keyword = filters.q.trim()
  const [created, setCreated] = useState<TokenRecord | null>(null)
  // From the drawer to the dialog with the key and back.
  useFocusBack(address.isOpen || created !== null)
  const query = useOperation(
    'token.list',
    { keyword, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  useRefreshOn('calls', [['token.list']])
  useRefreshOn('server', [['token.list']])
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)
  const isMany = useIsMany(query.data?.total, isFiltered)
  const selection = useRowSelection(
    (query.data?.items ?? []).map(({ id }) => id),
    isMany,
  )
  const users = useTokenUsers()

  return (
    <>
      {isMany && (
        <FilterField
          w={260}
          label={t('tokens.search')}
          value={filters.q}
          onChange={(q) => filter({ q })}
        />
      )}
      <TokenBulkActions selection={selection} />
      <QueryView query={query} verb={t('tokens.loading')}>
        {(data) => (
          <Panel flush>
            {data.items.length > 0 ? (
              <>
                <TokenTable tokens={data.items} users={users} selection={selection} onOpen={open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
              </>
            ) : isFiltered ? (
              <NoMatch title={t('tokens.noMatch')} hint={t('tokens.noMatchHint')} onClear={clear} />
            ) : (
              <Empty
                icon={<IconKey size={20} />}
                title={t('tokens.empty')}
                hint={t('tokens.emptyHint')}
              >
                <Button onClick={() => open('new')}>{t('tokens.create')}</Button>
              </Empty>
            )}
          </Panel>
        )}
      </QueryView>
      <TokenDrawer
        opened={address.isOpen}
        tokenId={address.openId}
        onClose={close}
        onCreated={(token) => {
          setCreated(token)
          close()
        }}
      />
      {created && (
        <KeyDialog
          title={t('tokens.createdTitle')}
          hint={t('tokens.createdHint')}
          token={created}
          tokenKey={created.key}
          onClose={() => setCreated(null)}
        />
      )}
    </>
  )
}

function TokenBulkActions({ selection }: { selection: RowSelection }) {
  const { t } = useTranslation()
  const count = selection.ids.length
  return (
    <SelectionBar selection={selection}>
      <DeleteSelected
        selection={selection}
        deletes="token.batch-delete"
        reads={['token.list']}
        title={t('tokens.deleteManyTitle', { count })}
        text={t('tokens.deleteManyText', { count })}
      />
    </SelectionBar>
  )
}
