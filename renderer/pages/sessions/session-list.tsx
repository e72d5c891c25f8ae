import { Anchor, Button, Group, Table, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Empty } from '../../components/feedback/empty.tsx'
import { NoMatch } from '../../components/feedback/no-match.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { sessionPath } from '../../components/format/session-path.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { Page } from '../../components/layout/page.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { CutName } from '../../components/table/cut-name.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { AgentSession } from '../../gateway/records.ts'
import { clientName } from './client-name.ts'
import { sessionCost } from './session-cost.ts'
import styles from './sessions.module.css'

export function SessionList() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 250)
  // Where each page began that was looked at, the first one aside.
  const [cursors, setCursors] = useState<string[]>([])
  const query = useOperation(
    'agent-session.list',
    { q, cursor: cursors.at(-1) ?? '' },
    { keepPrevious: true },
  )
  useRefreshOn('calls', [['agent-session.list']])

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
          setCursors([])
        }}
        mb="sm"
        maw={420}
      />
      <QueryView query={query} verb={t('sessions.loading')}>
        {({ sessions, next }) => (
          <Panel flush>
            {sessions.length > 0 ? (
              <SessionTable sessions={sessions} />
            ) : (
              <NoSessions isFiltered={q !== ''} onClear={() => setText('')} />
            )}
            {(cursors.length > 0 || next !== null) && (
              <Group justify="flex-end" gap={8} p={8}>
                <Button
                  variant="default"
                  disabled={cursors.length === 0}
                  onClick={() => setCursors(cursors.slice(0, -1))}
                >
                  {t('sessions.newer')}
                </Button>
                <Button
                  variant="default"
                  disabled={next === null}
                  onClick={() => next !== null && setCursors([...cursors, next])}
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
  const { started_at: start, ended_at: end, models } = session
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
      <Table.Td className="numeric widest-only">{format.duration((end - start) * 1000)}</Table.Td>
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
      <Table.Td className="numeric widest-only">{format.count(session.prompt_tokens)}</Table.Td>
      <Table.Td className="numeric widest-only">{format.count(session.completion_tokens)}</Table.Td>
      <Table.Td className="numeric widest-only">{format.percent(session.cache_hit_rate)}</Table.Td>
      <Table.Td className="numeric">
        {sessionCost(session, format, t('sessions.unpriced'))}
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
      <Button component={Link} href="/connect/tokens?new=1">
        {t('sessions.connectTool')}
      </Button>
    </Empty>
  )
}
