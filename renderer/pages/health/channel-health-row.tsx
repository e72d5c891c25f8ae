import { Anchor, Badge, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ActionButton } from '../../components/actions/action-button.tsx'
import { HealthBadge } from '../../components/channel-health/health-badge.tsx'
import { canReset } from '../../components/channel-health/health-facts.ts'
import { HealthParts } from '../../components/channel-health/health-parts.tsx'
import { Countdown } from '../../components/format/countdown.tsx'
import { useFormat } from '../../components/format/use-format.ts'
import { CutName } from '../../components/table/cut-name.tsx'
import { useAction } from '../../gateway/queries.ts'
import type { ChannelHealth, ChannelRecord } from '../../gateway/records.ts'
import { useEvery } from '../../gateway/use-every.ts'
import { useSentence } from '../../i18n/use-sentence.ts'
import { statusNoteOf } from '../channels/status-note.ts'
import styles from './health.module.css'

const disabled = 2

/** The status of an auto-disabled channel. */
export const autoDisabled = 3

interface ChannelHealthRowProps {
  health: ChannelHealth
  hasDetails: boolean
}

export function ChannelHealthRow({ health, hasDetails }: ChannelHealthRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const reset = useAction('channel.reset-health', ['channel.health', 'channel.list'])
  const { id, success_rate: rate, latency_ms: latency, calls } = health
  const { failures, disable_failures: strikes } = health
  const channel = useEvery('channel.list').data?.find((one) => one.id === id)
  const name = channel?.name || `#${id}`
  return (
    <Table.Tr>
      <Table.Td className="rest">
        <CutName name={name}>
          <Anchor
            component={Link}
            href={`/channels?open=${id}`}
            className={`cut ${styles.channel}`}
          >
            {name}
          </Anchor>
        </CutName>
      </Table.Td>
      <Table.Td className={styles.state}>
        <State health={health} channel={channel} />
        {hasDetails && failures + strikes > 0 && (
          <div className={styles.detail}>
            {t('channelHealth.failures', { count: failures })},{' '}
            {t('channelHealth.strikes', { count: strikes })}
          </div>
        )}
        {reset.failure && (
          <Text c="var(--bad)" role="alert" fz={12}>
            {reset.failure.message}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric wide-only">
        {format.percent(rate)}
        {rate !== null && (
          <div className={styles.detail}>{t('health.successOf', { count: calls })}</div>
        )}
      </Table.Td>
      <Table.Td className="numeric widest-only">{format.duration(latency)}</Table.Td>
      <Table.Td>
        {canReset(health) && (
          <ActionButton
            variant="default"
            size="compact-xs"
            busy={reset.busy}
            busyLabel={t('channelHealth.resetting')}
            onCancel={reset.cancel}
            onClick={() => void reset.run({ id })}
            aria-label={`${t('channelHealth.reset')}: ${name}`}
          >
            {t('channelHealth.reset')}
          </ActionButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function State({ health, channel }: { health: ChannelHealth; channel: ChannelRecord | undefined }) {
  const { t } = useTranslation()
  const say = useSentence()
  if (channel?.status === disabled) return <Badge color="gray">{t('channelHealth.off')}</Badge>
  if (channel?.status !== autoDisabled)
    return (
      <>
        <HealthBadge health={health} showHealthy lastTest={channel?.last_test} />
        <HealthParts health={health} lastTest={channel?.last_test} />
      </>
    )
  const note = statusNoteOf(channel)
  return (
    <>
      <Badge color="orange">{t('channelHealth.autoOff')}</Badge>
      <Text fz={12} className={styles.reason}>
        {note && say({ message: note.reason, reason: note.why })}
        {health.retest_at !== null && (
          <span className={styles.since}>
            {t('channelHealth.retest')} <Countdown until={health.retest_at} />
          </span>
        )}
      </Text>
    </>
  )
}
