import { Button, Group } from '@mantine/core'
import { IconPlus, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useListAddress } from '../../../components/address/use-list-address.ts'
import { Empty } from '../../../components/feedback/empty.tsx'
import { NoMatch } from '../../../components/feedback/no-match.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Select } from '../../../components/forms/option-lists.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { FilterField } from '../../../components/table/filter-field.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { useIsMany } from '../../../components/table/use-is-many.ts'
import { usePageInRange } from '../../../components/table/use-page-in-range.ts'
import { useOperation } from '../../../gateway/queries.ts'
import styles from '../redeem.module.css'
import { CodeDrawer } from './code-drawer.tsx'
import { codeStates } from './code-states.ts'
import { CodeTable } from './code-table.tsx'
import { DeleteInvalidButton } from './delete-invalid-button.tsx'
import { ExportButton } from './export-button.tsx'
import { NewCodesDialog } from './new-codes-dialog.tsx'

const pageSize = 50

/** Codes to hand out. */
export function CodesPage() {
  const { t } = useTranslation()
  const { filters, filter, page, turnTo, open, close, ...address } = useListAddress(['q', 'state'])
  const [created, setCreated] = useState<readonly string[] | null>(null)
  const keyword = filters.q.trim()
  const status = codeStates.find((one) => one === filters.state) ?? ''
  const query = useOperation(
    'redemption.search',
    { keyword, status, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  const isMany = useIsMany(query.data?.total, address.isFiltered)
  usePageInRange({ page, pageSize, total: query.data?.total }, turnTo)

  return (
    <Page
      title={t('redeem.codes')}
      hint={t('redeem.codesHint')}
      actions={
        <Button leftSection={<IconPlus size={14} />} onClick={() => open('new')}>
          {t('redeem.create')}
        </Button>
      }
    >
      <Panel flush>
        {isMany && (
          <Group gap={8} className={styles.filters} role="search" aria-label={t('redeem.filters')}>
            <FilterField
              w={220}
              label={t('redeem.search')}
              value={filters.q}
              onChange={(q) => filter({ q })}
            />
            <Select
              w={150}
              placeholder={t('redeem.anyState')}
              aria-label={t('redeem.state')}
              data={codeStates.map((value) => ({ value, label: t(`redeem.state_${value}`) }))}
              clearable
              value={status || null}
              onChange={(state) => filter({ state: state ?? '' })}
            />
            <Group gap={8} ml="auto">
              <ExportButton keyword={keyword} status={status} />
              <DeleteInvalidButton />
            </Group>
          </Group>
        )}
        <QueryView query={query} verb={t('redeem.loading')}>
          {(data) =>
            data.items.length > 0 ? (
              <>
                <CodeTable codes={data.items} onOpen={open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={turnTo} />
              </>
            ) : address.isFiltered ? (
              <NoMatch
                title={t('redeem.noMatch')}
                hint={t('redeem.noMatchHint')}
                onClear={address.clear}
              />
            ) : (
              <Empty
                icon={<IconTicket size={20} />}
                title={t('redeem.empty')}
                hint={t('redeem.emptyHint')}
              >
                <Button onClick={() => open('new')}>{t('redeem.create')}</Button>
              </Empty>
            )
          }
        </QueryView>
      </Panel>
      <CodeDrawer
        opened={address.isOpen}
        codeId={address.openId}
        onClose={close}
        onCreated={(codes) => {
          close()
          setCreated(codes)
        }}
      />
      {created && <NewCodesDialog codes={created} onClose={() => setCreated(null)} />}
    </Page>
  )
}
