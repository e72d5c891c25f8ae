import { CloseButton, Group, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallFailure } from '../../../gateway/call-failure.ts'
import styles from './channel-row.module.css'
import type { TestOutcome } from './use-channel-tests.ts'

interface ChannelOutcomeProps {
  /** Of how many columns the table is. */
  columns: number
  test: TestOutcome | undefined
  /** What else is under way, as a verb. */
  busyLabel: string | null
  /** What else was done, as a sentence. */
  note: string | null
  /** Of anything else that was tried. */
  failure: CallFailure | null
  onCancel: () => void
  onClose: () => void
}

/** The row beneath a channel: what is under way, what came of it, or the vendor's own sentence. */
export function ChannelOutcome(props: ChannelOutcomeProps) {
  const { columns, test, busyLabel, note, onCancel, onClose } = props
  const { t } = useTranslation()
  const format = useFormat()
  const isTesting = test?.state === 'running' || test?.state === 'waiting'
  const busy = isTesting
    ? t(test.state === 'running' ? 'channels.testing' : 'channels.testWaiting')
    : busyLabel
  const failure = test?.state === 'failed' ? test.failure : props.failure
  const passed =
    test?.state === 'passed'
      ? [t('channels.testPassed', { time: format.duration(test.time) }), test.message]
          .filter(Boolean)
          .join(' ')
      : note
  if (!busy && !failure && !passed) return null
  return (
    <Table.Tr className={styles.outcome}>
      <Table.Td colSpan={columns}>
        {busy ? (
          <Busy label={busy} onCancel={onCancel} />
        ) : (
          <Group gap={8} wrap="nowrap" role="status">
            {failure ? (
              <IconAlertTriangle
                size={16}
                color="var(--bad)"
                aria-hidden
                style={{ flex: 'none' }}
              />
            ) : (
              <IconCheck size={16} color="var(--good)" aria-hidden style={{ flex: 'none' }} />
            )}
            <Text className={styles.sentence}>{failure ? failure.message : passed}</Text>
            <CloseButton size="sm" ml="auto" onClick={onClose} aria-label={t('common.close')} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
