import { Button, Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Empty } from '../../../components/feedback/empty.tsx'
import { NoMatch } from '../../../components/feedback/no-match.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { useIsMany } from '../../../components/table/use-is-many.ts'
import { usePageInRange } from '../../../components/table/use-page-in-range.ts'
import { useOperation } from '../../../gateway/queries.ts'
import styles from '../redeem.module.css'
import { CodeDrawer } from './code-drawer.tsx'
import { type CodeState, codeStates } from './code-states.ts'
import { CodeTable } from './code-table.tsx'
import { DeleteInvalidButton } from './delete-invalid-button.tsx'
import { ExportButton } from './export-button.tsx'
import { NewCodesDialog } from './new-codes-dialog.tsx'

const pageSize = 50

/** Codes to hand out; `?new=1` and `?open=<id>` open the drawer. */
export function CodesPage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState('')
  const [status, setStatus] = useState<CodeState | ''>('')
  const [page, setPage] = useState(1)
  const [created, setCreated] = useState<readonly string[] | null>(null)
  const [keyword] = useDebouncedValue(text.trim(), 200)
  const query = useOperation(
    'redemption.search',
    { keyword, status, p: page, page_size: pageSize },
    { keepPrevious: true },
  )
  const isMany = useIsMany(query.data?.total)
  usePageInRange({ page, pageSize, total: query.data?.total }, setPage)
  const openId = Number(params.get('open')) || null
  const open = (id: number | 'new') => setParams(id === 'new' ? { new: '1' } : { open: String(id) })
  const close = () => setParams({}, { replace: true })
  const isFiltered = keyword !== '' || status !== ''
  const clear = () => {
    setText('')
    setStatus('')
    setPage(1)
  }

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
        <Group gap={8} className={styles.filters} role="search" aria-label={t('redeem.filters')}>
          {isMany && (
            <>
              <TextInput
                w={220}
                leftSection={<IconSearch size={14} />}
                placeholder={t('redeem.search')}
                aria-label={t('redeem.search')}
                value={text}
                onChange={(event) => {
                  setText(event.currentTarget.value)
                  setPage(1)
                }}
              />
              <Select
                w={150}
                placeholder={t('redeem.anyState')}
                aria-label={t('redeem.state')}
                data={codeStates.map((value) => ({ value, label: t(`redeem.state_${value}`) }))}
                clearable
                value={status || null}
                onChange={(value) => {
                  setStatus((value as CodeState | null) ?? '')
                  setPage(1)
                }}
              />
            </>
          )}
          <Group gap={8} ml="auto">
            <ExportButton keyword={keyword} status={status} />
            <DeleteInvalidButton />
          </Group>
        </Group>
        <QueryView query={query} verb={t('redeem.loading')}>
          {(data) =>
            data.items.length > 0 ? (
              <>
                <CodeTable codes={data.items} onOpen={open} />
                <Pager page={page} pageSize={pageSize} total={data.total} onChange={setPage} />
              </>
            ) : isFiltered ? (
              <NoMatch title={t('redeem.noMatch')} hint={t('redeem.noMatchHint')} onClear={clear} />
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
        opened={openId !== null || params.has('new')}
        codeId={openId}
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
