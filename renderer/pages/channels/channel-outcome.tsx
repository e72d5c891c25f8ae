import { CloseButton, Group, Table, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Busy } from '../../components/busy.tsx'
import { useFormat } from '../../components/use-format.ts'
import type { CallFailure } from '../../gateway/call-failure.ts'
import styles from './channel-row.module.css'

export interface PassedTest {
  /** Milliseconds. */
  time: number
  /** What the vendor said, where it said something. */
  message: string
}

interface ChannelOutcomeProps {
  testing: boolean
  passed: PassedTest | null
  failure: CallFailure | null
  onCancel: () => void
  onClose: () => void
}

/** The row beneath a channel: a test under way, its time, or the vendor's own sentence. */
export function ChannelOutcome(props: ChannelOutcomeProps) {
  const { testing, passed, failure, onCancel, onClose } = props
  const { t } = useTranslation()
  const format = useFormat()
  if (!testing && !passed && !failure) return null
  return (
    <Table.Tr className={styles.outcome}>
      <Table.Td colSpan={6}>
        {testing ? (
          <Busy label={t('channels.testing')} onCancel={onCancel} />
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
            <Text className={styles.sentence}>
              {failure
                ? failure.message
                : [
                    t('channels.testPassed', { time: format.duration(passed?.time) }),
                    passed?.message,
                  ]
                    .filter(Boolean)
                    .join(' ')}
            </Text>
            <CloseButton size="sm" ml="auto" onClick={onClose} aria-label={t('common.close')} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
