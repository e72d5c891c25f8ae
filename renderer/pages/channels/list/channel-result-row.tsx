import { CloseButton, Group, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../../components/feedback/busy.tsx'
import { useFormat } from '../../../components/format/use-format.ts'
import type { CallFailure } from '../../../gateway/call-failure.ts'
import styles from './channel-row.module.css'
import type { TestResult } from './use-channel-tests.ts'

interface ChannelResultRowProps {
  /** The table's number of columns. */
  columns: number
  test: TestResult | undefined
  /** "Fetching the balance…" */
  busyLabel: string | null
  /** The result of another action, as a sentence. */
  note: string | null
  /** Failure of another action. */
  failure: CallFailure | null
  onCancel: () => void
  onClose: () => void
}

/** The row below a channel: progress, result or the vendor's message. */
export function ChannelResultRow(props: ChannelResultRowProps) {
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
