import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../components/actions/copy-text.tsx'
import { QueryView } from '../../components/feedback/query-view.tsx'
import { approximate } from '../../components/format/approximate.ts'
import { useFormat } from '../../components/format/use-format.ts'
import { useSumCost } from '../../components/format/use-sum-cost.ts'
import { Figures } from '../../components/layout/figures.tsx'
import { Page } from '../../components/layout/page.tsx'
import { useOperation, useRefreshOn } from '../../gateway/queries.ts'
import type { AgentSession, SessionCall } from '../../gateway/records.ts'
import { SaveHar } from '../calls/save-har.tsx'
import { clientName } from './client-name.ts'
import { DiagnosisPanel } from './diagnosis-panel.tsx'
import { sessionSpan } from './session-span.ts'
import { SessionTurn } from './session-turn.tsx'
import styles from './sessions.module.css'
import { pairResults } from './tool-results.ts'

/** Milliseconds between two looks at a session: all of it is read. */
const PAUSE = 2000

export function SessionView({ id, user }: { id: string; user: number | null }) {
  const { t } = useTranslation()
  const input = user === null ? { id } : { id, user_id: user }
  const query = useOperation('agent-session.get', input)
  // The session may be under way.
  useRefreshOn('calls', [['agent-session.get'], ['agent-session.doctor']], PAUSE)
  const captured = (query.data?.calls ?? [])
    .flatMap(({ request_id: id, input: said, output }) => (said || output ? [id] : []))
    .reverse()
  return (
    <Page
      title={query.data?.session.title ?? t('sessions.untitled')}
      actions={
        <>
          <SaveHar ids={captured} name="session" />
          <Button component={Link} href="/calls/sessions" variant="default">
            {t('sessions.allSessions')}
          </Button>
        </>
      }
    >
      <QueryView query={query} verb={t('sessions.loadingOne')}>
        {({ session, calls }) => (
          <>
            <SessionFigures session={session} calls={calls} />
            <Conversation calls={calls} input={input} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function SessionFigures({
  session,
  calls,
}: {
  session: AgentSession
  calls: readonly SessionCall[]
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { costOf, noteOf } = useSumCost()
  const total = (value: (call: SessionCall) => number) =>
    calls.reduce((sum, call) => sum + value(call), 0)
  const reasoning = total((call) => call.reasoning_tokens)
  const written = total((call) => call.cache_write_tokens)
  const figures = [
    {
      name: t('sessions.calls'),
      value: format.count(session.calls),
      detail:
        session.errors > 0 ? t('sessions.failed', { count: session.errors }) : sessionSpan(session),
      bad: session.errors > 0,
    },
    {
      name: t('sessions.input'),
      value: approximate(format.count(session.prompt_tokens), session.estimated > 0),
      detail: t('sessions.written', { tokens: format.count(written) }),
    },
    {
      name: t('sessions.cached'),
      value: format.percent(session.cache_hit_rate),
      detail: t('sessions.tokens', { count: session.cached_tokens }),
    },
    {
      name: t('sessions.output'),
      value: approximate(format.count(session.completion_tokens), session.estimated > 0),
      detail: t('sessions.reasoned', { tokens: format.count(reasoning) }),
    },
    { name: t('sessions.cost'), value: costOf(session), detail: noteOf(session) },
  ]
  return (
    <>
      <p className={styles.facts}>
        <span title={session.client}>{clientName(session)}</span>
        <span>{format.fullTime(session.started_at)}</span>
        <span className="mono">{session.models.join(', ')}</span>
        <CopyText value={session.id} label={t('sessions.sessionId')} wraps />
      </p>
      <Figures figures={figures} label={t('sessions.figures')} even />
    </>
  )
}

function Conversation({
  calls,
  input,
}: {
  calls: readonly SessionCall[]
  input: { id: string; user_id?: number }
}) {
  const { t } = useTranslation()
  const doctor = useOperation('agent-session.doctor', input)
  const results = useMemo(() => pairResults(calls), [calls])
  const findings = useMemo(
    () => new Map(doctor.data?.findings.map((finding) => [finding.request_id, finding])),
    [doctor.data],
  )
  return (
    <>
      <QueryView query={doctor} verb={t('sessions.examining')}>
        {(diagnosis) => <DiagnosisPanel diagnosis={diagnosis} />}
      </QueryView>
      <ol className={styles.turns} aria-label={t('sessions.conversation')}>
        {calls.map((call, index) => (
          <SessionTurn
            key={call.request_id}
            call={call}
            number={index + 1}
            results={results}
            finding={findings.get(call.request_id) ?? null}
          />
        ))}
      </ol>
    </>
  )
}
