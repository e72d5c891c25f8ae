import { Button, Group, Text, Title } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { QueryView } from '../../../components/feedback/query-view.tsx'
import { Page } from '../../../components/layout/page.tsx'
import { useKeptUnsaved } from '../../../components/leaving/use-unsaved.ts'
import { useGateway } from '../../../gateway/gateway-context.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { useFailureText } from '../../../i18n/use-sentence.ts'
import { readCallFacts } from '../call-facts.ts'
import { AnswerDiff } from './answer-diff.tsx'
import { type ComparedAnswer, comparedAnswer } from './answer-parts.ts'
import styles from './replay.module.css'
import { ReplayColumn } from './replay-column.tsx'
import { deskOf, MOST_COLUMNS, type ReplayDraft } from './replay-desk.ts'
import { ReplayFigures } from './replay-figures.tsx'
import { useBookedCall } from './use-booked-call.ts'

/** A captured call beside up to four replays of it. */
export function ReplayPage({ params }: { params: { id?: string | undefined } }) {
  const { t } = useTranslation()
  const { id = '' } = params
  const draft = useOperation('replay.draft', { capture: id })
  return (
    <Page
      wide
      title={t('replay.title')}
      hint={t('replay.hint')}
      actions={
        <>
          <Button component={Link} href={`/calls?open=${id}`} variant="default">
            {t('replay.backToCall')}
          </Button>
          <Button component={Link} href="/calls/replay" variant="default">
            {t('replay.failures')}
          </Button>
        </>
      }
    >
      <QueryView query={draft} verb={t('replay.loading')}>
        {(data) => <Desk key={id} id={id} draft={data} />}
      </QueryView>
    </Page>
  )
}

function Desk({ id, draft }: { id: string; draft: ReplayDraft }) {
  const { t } = useTranslation()
  const desk = deskOf(useGateway(), id, draft)
  const columns = useSyncExternalStore(desk.subscribe, desk.read)
  useKeptUnsaved(desk.unsaved, desk.isEdited)
  const reading = useOperation('capture.reading', { request_id: id })
  const original = reading.data ? comparedAnswer(reading.data.output) : null
  return (
    <>
      <Group gap={8}>
        {columns.length > 1 &&
          (desk.isRunning ? (
            <>
              <span role="status">{t('replay.sendingAll')}</span>
              <Button variant="default" onClick={() => desk.cancelAll()}>
                {t('replay.cancelAll')}
              </Button>
            </>
          ) : (
            <Button onClick={() => desk.sendAll()}>
              {t('replay.sendAll', { count: columns.length })}
            </Button>
          ))}
        <Button variant="default" onClick={() => desk.add()} disabled={desk.isFull}>
          {t('replay.addColumn')}
        </Button>
        {desk.isFull && (
          <Text c="dimmed" fz={12}>
            {t('replay.mostColumns', { count: MOST_COLUMNS })}
          </Text>
        )}
      </Group>
      <div className={styles.columns}>
        <Original id={id} draft={draft} answer={original} />
        {columns.map((column, index) => (
          <ReplayColumn
            key={column.key}
            desk={desk}
            column={column}
            number={index + 1}
            isOnly={columns.length === 1}
            draft={draft}
            original={original}
          />
        ))}
      </div>
    </>
  )
}

interface OriginalProps {
  id: string
  draft: ReplayDraft
  answer: ComparedAnswer | null
}

function Original({ id, draft, answer }: OriginalProps) {
  const { t } = useTranslation()
  const call = useBookedCall(id)
  const facts = call && readCallFacts(call)
  const failureText = useFailureText()
  return (
    <section className={styles.column} aria-labelledby="replay-original">
      <Title order={2} id="replay-original">
        {t('replay.original')}
      </Title>
      <Text className="mono" style={{ overflowWrap: 'anywhere' }}>
        {draft.path}
      </Text>
      <div>
        <CopyText value={id} label={t('calls.requestId')} />
      </div>
      <ReplayFigures call={call} status={null} />
      {call?.content && facts && (
        <Text c="var(--bad)">{failureText(facts.errorCode, call.content, facts.errorReason)}</Text>
      )}
      {answer && <AnswerDiff own={answer} original={null} />}
      {draft.headers.length > 0 && (
        <details>
          <summary>{t('replay.headers', { count: draft.headers.length })}</summary>
          <ul className={styles.headers}>
            {draft.headers.map(([name, value]) => (
              <li key={name} className="mono">
                {name}: {value}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
