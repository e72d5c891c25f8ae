import { Anchor, Button, Group, Table, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconArrowUp, IconMessages } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { approximate } from '../../components/format/approximate.ts'
import { sessionPath } from '../../components/format/session-path.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { useSumCost } from '../../components/format/use-sum-cost.ts'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { CutName } from '../../components/table/cut-name.tsx'
import type { AgentSession } from '../../gateway/records.ts'
import { clientName } from './client-name.ts'
import { sessionSpan } from './session-span.ts'
import styles from './sessions.module.css'
import { useSessionList } from './use-session-list.ts'

/** The list as its URL says it: `?q=`, and in `?pages=` where each page began that was looked at, the first one aside. */
function useSessionsAddress() {
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  // A dot is in no cursor.
  const cursors = (search.get('pages') ?? '').split('.').filter(Boolean)
  const change = (q: string, cursors: readonly string[], replace: boolean) =>
    setSearch(
      { ...(q && { q }), ...(cursors.length > 0 && { pages: cursors.join('.') }) },
      { replace },
    )
  return {
    ...{ q, cursors },
    filter: (next: string) => change(next, [], true),
    turnTo: (next: readonly string[]) => change(q, next, false),
  }
}

export function SessionList() {
  const { t } = useTranslation()
  const { q, cursors, filter, turnTo } = useSessionsAddress()
  const [text, setText] = useState(q)
  const applyFilter = useDebouncedCallback(filter, 250)
  const { query, sessions, news, showNews } = useSessionList(q, cursors.at(-1) ?? '')

  return (
    <Page
      title={t('sessions.title')}
      hint={t('sessions.hint')}
      actions={
        <Button component={Link} href="/calls" variant="default">
          {t('sessions.allCalls')}
        </Button>
      }
    >
      <TextInput
        aria-label={t('sessions.filter')}
        placeholder={t('sessions.filterExample')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          applyFilter(event.currentTarget.value.trim())
        }}
        mb="sm"
        maw={420}
      />
      {news > 0 && (
        <Button
          className={styles.news}
          size="compact-sm"
          rightSection={<IconArrowUp size={14} aria-hidden />}
          onClick={showNews}
        >
          {t('callList.news', { count: news })}
        </Button>
      )}
      <QueryView query={query} verb={t('sessions.loading')}>
        {({ next }) => (
          <Panel flush>
            {sessions.length > 0 ? (
              <SessionTable sessions={sessions} />
            ) : (
              <NoSessions
                isFiltered={q !== ''}
                onClear={() => {
                  setText('')
                  filter('')
                }}
              />
            )}
            {(cursors.length > 0 || next !== null) && (
              <Group justify="flex-end" gap={8} p={8}>
                <Button
                  variant="default"
                  disabled={cursors.length === 0}
                  onClick={() => turnTo(cursors.slice(0, -1))}
                >
                  {t('sessions.newer')}
                </Button>
                <Button
                  variant="default"
                  disabled={next === null}
                  onClick={() => next !== null && turnTo([...cursors, next])}
                >
                  {t('sessions.older')}
                </Button>
              </Group>
            )}
          </Panel>
        )}
      </QueryView>
    </Page>
  )
}

function SessionTable({ sessions }: { sessions: readonly AgentSession[] }) {
  const { t } = useTranslation()
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('sessions.session')}</Table.Th>
          <Table.Th className="wider-only">{t('sessions.client')}</Table.Th>
          <Table.Th className="wide-only">{t('sessions.started')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('sessions.duration')}</Table.Th>
          <Table.Th className="numeric">{t('sessions.calls')}</Table.Th>
          <Table.Th className="widest-only">{t('sessions.models')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('sessions.input')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('sessions.output')}</Table.Th>
          <Table.Th className="numeric widest-only">{t('sessions.cached')}</Table.Th>
          <Table.Th className="numeric">{t('sessions.cost')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sessions.map((session) => (
          <SessionRow key={`${session.user_id} ${session.id}`} session={session} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function SessionRow({ session }: { session: AgentSession }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { costOf, noteOf } = useSumCost()
  const { started_at: start, models } = session
  return (
    <Table.Tr>
      <Table.Td className="rest">
        <CutName name={session.title ?? session.id}>
          <Anchor component={Link} href={sessionPath(session.id, session.user_id)} className="cut">
            {session.title ?? <span className="mono">{session.id}</span>}
          </Anchor>
        </CutName>
      </Table.Td>
      <Table.Td className={`wider-only ${styles.short}`} title={session.client}>
        {clientName(session)}
      </Table.Td>
      <Table.Td className={`wide-only ${styles.time}`} title={format.fullTime(start)}>
        {format.time(start)}
      </Table.Td>
      <Table.Td className="numeric widest-only">{sessionSpan(session)}</Table.Td>
      <Table.Td className="numeric">
        {format.count(session.calls)}
        {session.errors > 0 && (
          <span className={styles.errors}> {t('sessions.failed', { count: session.errors })}</span>
        )}
      </Table.Td>
      <Table.Td className={`widest-only mono ${styles.short}`} title={models.join(', ')}>
        {models[0]}
        {models.length > 1 && ` +${models.length - 1}`}
      </Table.Td>
      <Table.Td className="numeric widest-only">
        {approximate(format.count(session.prompt_tokens), session.estimated > 0)}
      </Table.Td>
      <Table.Td className="numeric widest-only">
        {approximate(format.count(session.completion_tokens), session.estimated > 0)}
      </Table.Td>
      <Table.Td className="numeric widest-only">{format.percent(session.cache_hit_rate)}</Table.Td>
      <Table.Td className="numeric" title={noteOf(session)}>
        {costOf(session)}
      </Table.Td>
    </Table.Tr>
  )
}

function NoSessions({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { t } = useTranslation()
  if (isFiltered) {
    return (
      <NoMatch title={t('sessions.noMatch')} hint={t('sessions.noMatchHint')} onClear={onClear} />
    )
  }
  return (
    <Empty
      icon={<IconMessages size={20} />}
      title={t('sessions.empty')}
      hint={t('sessions.emptyHint')}
    >
      <Button component={Link} href="/connect">
        {t('sessions.connectTool')}
      </Button>
    </Empty>
  )
}
