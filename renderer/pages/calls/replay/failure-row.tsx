import { Button, Group, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { OperationOutput } from '../../../../preload/contract.ts'
import { useFormat } from '../../../components/format/use-format.ts'
import { useFailureText, useSentence } from '../../../i18n/use-sentence.ts'
import { type CallFacts, readCallFacts } from '../call-facts.ts'
import { CallCost } from '../cells/call-cost.tsx'
import styles from './replay.module.css'
import type { BatchEntry } from './replay-batch.ts'
import { useBookedCall } from './use-booked-call.ts'

export type FailedCall = OperationOutput<'replay.failures'>['failures'][number]

interface FailureRowProps {
  failed: FailedCall
  /** Its replay; null where there is none. */
  entry: BatchEntry | null
}

/** A failed call and what came of its replay. */
export function FailureRow({ failed, entry }: FailureRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const say = useSentence()
  const failureText = useFailureText()
  const { request_id: id, reason } = failed
  const isOver = entry?.phase === 'done' || entry?.phase === 'cancelled'
  const replayed = entry?.progress?.id ?? null
  const call = useBookedCall(isOver ? replayed : null)
  const facts = call && readCallFacts(call)
  return (
    <Table.Tr>
      <Table.Td className={`wide-only ${styles.time}`} title={format.fullTime(failed.created_at)}>
        {format.time(failed.created_at)}
      </Table.Td>
      <Table.Td className={`mono ${styles.model}`}>{failed.model || '–'}</Table.Td>
      <Table.Td className="widest-only">{failed.channel_name || '–'}</Table.Td>
      <Table.Td className={styles.message}>
        <span className={styles.status} data-failed>
          {failed.status || '–'}
        </span>{' '}
        {failureText(failed.error_code, failed.message, failed.message_reason ?? undefined)}
      </Table.Td>
      <Table.Td className={styles.message}>
        {reason === null ? (
          <Result entry={entry} facts={facts} />
        ) : (
          say({ message: reason, reason: failed.reason_coded ?? undefined })
        )}
      </Table.Td>
      <Table.Td className="numeric widest-only">{format.duration(facts?.firstToken)}</Table.Td>
      <Table.Td className="numeric widest-only">{format.duration(facts?.duration)}</Table.Td>
      <Table.Td className="numeric widest-only">{format.count(facts?.outputTokens)}</Table.Td>
      <Table.Td className="numeric widest-only">
        {facts ? <CallCost facts={facts} /> : '–'}
      </Table.Td>
      <Table.Td>
        <Group gap={6} className={styles.actions}>
          {replayed !== null && (
            <Button
              component={Link}
              href={`/calls?open=${replayed}`}
              variant="default"
              size="compact-xs"
              aria-label={t('replay.openReplayOf', { id })}
            >
              {t('replay.openCall')}
            </Button>
          )}
          {reason === null && (
            <Button
              component={Link}
              href={`/calls/replay/${encodeURIComponent(id)}`}
              variant="default"
              size="compact-xs"
              aria-label={t('replay.editOf', { id })}
            >
              {t('replay.edit')}
            </Button>
          )}
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}

function Result({ entry, facts }: { entry: BatchEntry | null; facts: CallFacts | null }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  if (!entry) return <>–</>
  const { phase, failure, progress } = entry
  if (phase !== 'done') {
    return (
      <Text span c="dimmed">
        {t(`replay.phase_${phase}`)}
      </Text>
    )
  }
  const shown = facts?.status ?? progress?.status ?? null
  return (
    <>
      <span className={styles.status} data-failed={failure ? true : undefined}>
        {shown ?? '–'}
      </span>{' '}
      {failure
        ? failureText(facts?.errorCode ?? null, failure.message, facts?.errorReason)
        : t('replay.answered')}
    </>
  )
}
