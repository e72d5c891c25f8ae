import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { FailureNote } from '../../../components/feedback/failure-note.tsx'
import { type CallColumn, fittingColumns, type SortField } from './call-columns.ts'
import styles from './call-list.module.css'
import { CallListHead } from './call-list-head.tsx'
import { CallListRow } from './call-list-row.tsx'
import { rowId } from './row-id.ts'
import type { useCallList } from './use-call-list.ts'
import { type RowWindow, rowHeight } from './use-row-window.ts'

/** Rows from the end of what was read at which the next page is asked for. */
const aheadOfEnd = 60

interface CallListProps {
  list: ReturnType<typeof useCallList>
  viewport: RefObject<HTMLDivElement | null>
  rowWindow: RowWindow
  columns: readonly CallColumn[]
  sort: SortField
  order: 'asc' | 'desc'
  onSort: (sort: SortField) => void
  /** Index of the open row; -1 for none. */
  openIndex: number
  /** Index of the row that has the keyboard's place. */
  activeIndex: number
  onOpen: (index: number) => void
  onNews: () => void
  /** Shown in place of the rows when there are none. */
  empty: ReactNode
}

/** Rows of calls: only those in sight are drawn, and pages are read as the reader comes near their end. */
export function CallList(props: CallListProps) {
  const { list, viewport, rowWindow, sort, order, onSort, openIndex, activeIndex } = props
  const { onOpen, onNews, empty } = props
  const { t } = useTranslation()
  const { query, rows, live, liveAt, news } = list
  const { columns: chosen } = props
  const { width } = rowWindow
  // The same array for as long as nothing changes, so that scrolling draws no row anew.
  const columns = useMemo(() => fittingColumns(chosen, width), [chosen, width])
  const { first, last } = rowWindow.rangeOf(rows.length)
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query

  const [isStopped, setStopped] = useState(false)
  const stop = () => {
    setStopped(true)
    list.cancel()
  }
  const needsMore = hasNextPage && !isFetching && !isFetchNextPageError && !isStopped
  useEffect(() => {
    if (needsMore && last >= rows.length - aheadOfEnd) void fetchNextPage()
  }, [needsMore, last, rows.length, fetchNextPage])

  const tabStop = activeIndex >= first && activeIndex < last ? activeIndex : first
  const isEmpty = rows.length === 0
  return (
    <div className={styles.frame} data-call-list>
      {news > 0 && (
        <Button
          className={styles.news}
          size="compact-sm"
          rightSection={<IconArrowUp size={14} aria-hidden />}
          onClick={onNews}
        >
          {t('callList.news', { count: news })}
        </Button>
      )}
      <div className={styles.viewport} ref={viewport} onScroll={rowWindow.onScroll}>
        {(!isEmpty || query.isSuccess) && (
          <table
            className={styles.table}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows take the focus
            role="grid"
            aria-label={t('calls.title')}
            aria-rowcount={hasNextPage ? -1 : rows.length + 1}
            aria-busy={query.isPlaceholderData}
            data-old={query.isPlaceholderData || undefined}
          >
            <CallListHead columns={columns} sort={sort} order={order} onSort={onSort} />
            <tbody>
              <Space rows={first} columns={columns.length} />
              {rows.slice(first, last).map((call, offset) => {
                const index = first + offset
                const now = live.get(call.request_id ?? '')
                return (
                  <CallListRow
                    key={rowId(call)}
                    call={
                      now && call.kind === 'running'
                        ? { ...now, created_at: call.created_at }
                        : call
                    }
                    index={index}
                    columns={columns}
                    since={sinceOf(call, now, liveAt)}
                    isOpen={index === openIndex}
                    isTabStop={index === tabStop}
                    onOpen={onOpen}
                  />
                )
              })}
              <Space rows={rows.length - last} columns={columns.length} />
            </tbody>
          </table>
        )}
        {isEmpty && empty}
        {query.isFetchingNextPage && (
          <div className={styles.foot}>
            <Busy label={t('callList.loadingMore')} onCancel={stop} />
          </div>
        )}
        {isStopped && hasNextPage && (
          <div className={styles.foot}>
            <Button variant="default" onClick={() => setStopped(false)}>
              {t('callList.loadMore')}
            </Button>
          </div>
        )}
        {isFetchNextPageError && (
          <div className={styles.foot}>
            <FailureNote failure={query.error} onRetry={() => void fetchNextPage()} />
          </div>
        )}
      </div>
    </div>
  )
}

/** Stands for rows that aren't drawn. */
function Space({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden className={styles.space}>
      <td colSpan={columns} style={{ height: rows * rowHeight }} />
    </tr>
  )
}

/** When a call under way began, by this browser's clock: the gateway's may differ. */
function sinceOf(
  call: { kind: string; created_at: number },
  now: { use_time_ms: number } | undefined,
  liveAt: number,
): number | null {
  if (call.kind !== 'running') return null
  if (!now) return call.created_at * 1000
  // In steps of a second, so that a row isn't drawn anew for the milliseconds of each look.
  return Math.round((liveAt - now.use_time_ms) / 1000) * 1000
}
