import { ActionIcon, Alert, Button, Group, Switch, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ActionButton } from '../../../components/actions/action-button.tsx'
import { CopyText } from '../../../components/actions/copy-text.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import { jsonFault } from '../../../components/forms/json-places.ts'
import { shortcutOf } from '../../../components/shortcuts/shortcuts.ts'
import { useOperation } from '../../../gateway/queries.ts'
import { useFailureText } from '../../../i18n/use-sentence.ts'
import { readCallFacts } from '../call-facts.ts'
import { AnswerDiff } from './answer-diff.tsx'
import { type ComparedAnswer, comparedAnswer } from './answer-parts.ts'
import { BodyEditor } from './body-editor.tsx'
import styles from './replay.module.css'
import type { ReplayColumn as Column, ReplayDesk, ReplayDraft } from './replay-desk.ts'
import { ReplayFigures } from './replay-figures.tsx'
import { TargetFields } from './target-fields.tsx'
import { useBodyCheck } from './use-body-check.ts'
import { useBookedCall } from './use-booked-call.ts'

interface ReplayColumnProps {
  desk: ReplayDesk
  column: Column
  /** From 1. */
  number: number
  isOnly: boolean
  draft: ReplayDraft
  original: ComparedAnswer | null
}

/** One replay: its form, and below it how it differs from the original. */
export function ReplayColumn(props: ReplayColumnProps) {
  const { desk, column, number, isOnly, draft, original } = props
  const { t } = useTranslation()
  const { key, phase, channel, model, stream, body, failure } = column
  const heading = `replay-${key}`
  const problem = useBodyCheck(desk.capture, column, draft)
  const isBroken = body !== draft.body && jsonFault(body) !== null
  const sendByKey = (event: KeyboardEvent) => {
    if (shortcutOf('replay', event) !== 'send' || isBroken) return
    event.preventDefault()
    desk.send(key)
  }
  return (
    <section className={styles.column} aria-labelledby={heading} onKeyDown={sendByKey}>
      <Group justify="space-between">
        <Title order={2} id={heading}>
          {t('replay.column', { number })}
        </Title>
        {!isOnly && (
          <ActionIcon
            onClick={() => desk.remove(key)}
            aria-label={t('replay.removeColumn', { number })}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
      <TargetFields
        value={{ channel, model }}
        modelHint={draft.model}
        onChange={(fields) => desk.fill(key, fields)}
      />
      <Switch
        label={t('replay.stream')}
        checked={stream}
        onChange={(event) => desk.fill(key, { stream: event.currentTarget.checked })}
      />
      <BodyEditor
        label={t('replay.body')}
        value={body}
        original={draft.body}
        failure={problem === undefined && !column.progress?.id ? failure : (problem ?? null)}
        onChange={(value) => desk.fill(key, { body: value })}
      />
      <div>
        <ActionButton
          busy={phase === 'running'}
          busyLabel={t('replay.sending')}
          onCancel={() => desk.cancel(key)}
          onClick={() => desk.send(key)}
          disabled={isBroken}
        >
          {t(phase === 'blank' ? 'replay.send' : 'replay.sendAgain')}
        </ActionButton>
      </div>
      {phase !== 'blank' && <Outcome column={column} original={original} />}
    </section>
  )
}

function Outcome({ column, original }: { column: Column; original: ComparedAnswer | null }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const format = useFormat()
  const { phase, progress, failure } = column
  const isOver = phase !== 'running'
  const id = progress?.id ?? null
  const call = useBookedCall(isOver ? id : null)
  const facts = call && readCallFacts(call)
  const reading = useOperation(
    'capture.reading',
    { request_id: id ?? '' },
    { enabled: isOver && id !== null },
  )
  const text = progress?.text ?? ''
  const read = reading.data ? comparedAnswer(reading.data.output) : null
  const isRead = reading.data !== undefined || reading.isError
  // Without a capture of the replay, or for what is no conversation, there are the words that came past.
  const own = read ?? { text, calls: [] }
  const compared = read ? original : original && { ...original, calls: [] }
  return (
    <>
      {failure && (
        <Alert
          color="red"
          role="alert"
          icon={<IconAlertTriangle size={16} />}
          title={t(id === null ? 'replay.notSent' : 'replay.failed')}
        >
          {failureText(facts?.errorCode ?? null, failure.message, facts?.errorReason)}
        </Alert>
      )}
      {phase === 'cancelled' && <Text c="dimmed">{t('replay.cancelled')}</Text>}
      {id !== null && (
        <Group gap={8}>
          <Button component={Link} href={`/calls?open=${id}`} variant="default" size="compact-xs">
            {t('replay.openCall')}
          </Button>
          <CopyText value={id} label={t('calls.requestId')} />
        </Group>
      )}
      {isOver && id !== null && <ReplayFigures call={call} status={progress?.status ?? null} />}
      {!isOver && progress !== null && (
        <Text c="dimmed">{t('replay.received', { size: format.size(progress.bytes) })}</Text>
      )}
      {isRead && id !== null && !failure && <AnswerDiff own={own} original={compared} />}
      {!isRead && text !== '' && <pre className={styles.answer}>{text}</pre>}
    </>
  )
}
