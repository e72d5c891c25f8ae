import { Button, Text } from '@mantine/core'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useAddress } from '../../components/address/use-address.ts'
import { Busy } from '../../components/feedback/busy.tsx'
import { FailureNote } from '../../components/feedback/failure-note.tsx'
import { Page } from '../../components/layout/page.tsx'
import type { TimelineRow } from '../../gateway/records.ts'
import { useIsAdministrator } from '../../gateway/use-role.ts'
import type { TimelineQuestion } from '../../gateway/use-timeline.ts'
import { CallsContext } from './calls-context.ts'
import styles from './calls-page.module.css'
import { CaptureControl } from './inspector/capture/capture-control.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { inspectorTabs } from './inspector/inspector-tabs.tsx'
import {
  type CallColumn,
  callColumns,
  columnFacts,
  keepColumns,
  readColumns,
  type SortField,
} from './list/call-columns.ts'
import { CallList } from './list/call-list.tsx'
import { NoCalls } from './list/no-calls.tsx'
import { useCallList } from './list/use-call-list.ts'
import { useKeptPlace } from './list/use-kept-place.ts'
import { useRowWindow } from './list/use-row-window.ts'
import { ViewMenu } from './list/view-menu.tsx'
import { QueryBar } from './query/query-bar.tsx'
import { withTerm } from './query/query-terms.ts'
import { SaveHar } from './save-har.tsx'
import { useCallKeys } from './use-call-keys.ts'
import { useRowPlace } from './use-row-place.ts'

const sortFields = callColumns.flatMap((column) => columnFacts[column].sort ?? [])

/** The Calls page as its URL says it: `?q=`, `?open=` with `?tab=`, `?sort=` and `?order=`. */
function useCallsAddress() {
  const { search, change } = useAddress()
  const q = search.get('q') ?? ''
  const open = search.get('open') ?? ''
  const tab = search.get('tab') ?? ''
  const sort = sortFields.find((field) => field === search.get('sort')) ?? 'time'
  const order = search.get('order') === 'asc' ? 'asc' : 'desc'
  const question = useMemo((): TimelineQuestion => ({ q, sort, order }), [q, sort, order])

  /** The other way round if it is sorted so already. */
  const changeSort = (field: SortField) => {
    const isTurned = field === sort && order === 'desc'
    change({ sort: field === 'time' ? '' : field, order: isTurned ? 'asc' : '' })
  }

  return { q, open, tab, sort, order, question, change, changeSort } as const
}

function CallsActions({ rows }: { rows: readonly TimelineRow[] }) {
  const { t } = useTranslation()
  const isAdministrator = useIsAdministrator()
  // Users see captures of their own calls where the owner lets them, and without captures nothing is replayed.
  const hasReplay = isAdministrator || rows.some((row) => row.has_capture)
  return (
    <>
      <Button component={Link} href="/calls/sessions" variant="default">
        {t('sessions.title')}
      </Button>
      {hasReplay && (
        <Button component={Link} href="/calls/replay" variant="default">
          {t('replay.failures')}
        </Button>
      )}
      <SaveHar
        ids={rows.flatMap(({ has_capture: isKept, request_id: id }) => (isKept && id ? [id] : []))}
        name="calls"
      />
      <CaptureControl />
    </>
  )
}

/** Every call, refused request and event: a list with a query bar, and a panel for the open row. */
export function CallsPage() {
  const { t } = useTranslation()
  const address = useCallsAddress()
  const { q, open, tab, sort, order, question, change, changeSort } = address
  const [columns, setColumns] = useState(readColumns)
  const isAdministrator = useIsAdministrator()
  const offered = useMemo(
    () => columns.filter((column) => isAdministrator || !columnFacts[column].isAdministrators),
    [columns, isAdministrator],
  )
  const input = useRef<HTMLInputElement>(null)
  const viewport = useRef<HTMLDivElement>(null)
  const rowWindow = useRowWindow(viewport)
  const list = useCallList(question, open !== '' || rowWindow.isScrolled)
  const { query, rows, refresh, replace } = list

  const isOpen = open !== ''
  const onOpen = useCallback(
    // Going on from one open row to the next is no step back in the browser's history.
    (id: string) => change({ open: id }, isOpen),
    [change, isOpen],
  )
  const place = useRowPlace({ rows, open, onOpen, viewport, rowWindow })
  useKeptPlace({ question: JSON.stringify(question), rows, viewport, rowWindow, isOpen })
  const { openIndex, activeIndex, goTo, focus } = place
  const close = () => {
    if (!isOpen) return
    change({ open: '', tab: '' })
    // Once the panel over the list is gone, which keeps the focus in itself.
    requestAnimationFrame(() => focus(activeIndex))
  }
  const openRow = useCallback((index: number) => goTo(index, true), [goTo])

  useCallKeys({
    onMove: (step) =>
      goTo(
        activeIndex < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, activeIndex + step)),
        isOpen,
      ),
    onEnd: (which) => goTo(which === 'first' ? 0 : rows.length - 1, isOpen),
    onTab(index) {
      const row = rows[openIndex]
      const fitting = inspectorTabs.filter(({ fits }) => !row || fits(row))
      const chosen = fitting[index]
      if (isOpen && chosen) change({ tab: chosen.id }, true)
    },
    onSearch: () => input.current?.focus(),
    onClose: close,
  })

  const applyQuery = useCallback(
    (next: string) => {
      if (next === q) return
      rowWindow.showTop()
      change({ q: next })
    },
    [q, change, rowWindow.showTop],
  )
  const actions = useMemo(
    () => ({
      addFilter: (field: string, value: string) => applyQuery(withTerm(q, field, value)),
      replace,
    }),
    [applyQuery, q, replace],
  )
  const chooseColumns = (next: CallColumn[]) => {
    setColumns(next)
    keepColumns(next)
  }
  const failure = query.isError && rows.length === 0 ? query.error : null
  const isWrongQuery = failure?.field === 'q'

  return (
    <CallsContext.Provider value={actions}>
      <Page title={t('calls.title')} actions={<CallsActions rows={rows} />} fill>
        <div className={styles.tools}>
          <QueryBar value={q} onChange={applyQuery} failure={failure} input={input} />
          <ViewMenu columns={columns} onColumns={chooseColumns} sort={sort} onSort={changeSort} />
        </div>
        {(sort !== 'time' || order === 'asc') && (
          <div className={styles.sorted}>
            <Text c="dimmed">{t('callList.sorted')}</Text>
            <Button
              variant="subtle"
              size="compact-xs"
              onClick={() => change({ sort: '', order: '' })}
            >
              {t('callList.sortByTime')}
            </Button>
          </div>
        )}
        <div className={styles.split}>
          <CallList
            list={list}
            viewport={viewport}
            rowWindow={rowWindow}
            columns={offered}
            sort={sort}
            order={order}
            onSort={changeSort}
            openIndex={openIndex}
            activeIndex={activeIndex}
            onOpen={openRow}
            onNews={() => {
              rowWindow.showTop()
              refresh()
            }}
            empty={
              <div className={styles.empty}>
                {failure && !isWrongQuery && (
                  <FailureNote failure={failure} onRetry={() => void query.refetch()} />
                )}
                {isWrongQuery && <Text c="dimmed">{t('callQuery.correct')}</Text>}
                {query.isLoading && <Busy label={t('calls.loading')} onCancel={list.cancel} />}
                {query.isPending && query.fetchStatus === 'idle' && (
                  <Button variant="default" onClick={() => void query.refetch()}>
                    {t('common.loadAgain')}
                  </Button>
                )}
                {query.isSuccess && !query.hasNextPage && (
                  <NoCalls isFiltered={q !== ''} onClear={() => applyQuery('')} />
                )}
              </div>
            }
          />
          {isOpen && (
            <Inspector
              requestId={open}
              row={rows[openIndex] ?? null}
              tab={tab}
              onTab={(next) => change({ tab: next }, true)}
              onClose={close}
            />
          )}
        </div>
      </Page>
    </CallsContext.Provider>
  )
}
